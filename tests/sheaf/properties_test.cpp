// What the paper proves about the operator, on random sheaves.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <numbers>

#include "dshn/sheaf/assemble.hpp"
#include "dshn/sheaf/directed_sheaf.hpp"
#include "sheaf/dense.hpp"
#include "sheaf/direct.hpp"

namespace dshn::test {
namespace {

using sheaf::DirectedSheaf;
using sheaf::Form;

constexpr std::array kForms{Form::L, Form::Q, Form::L_N, Form::Q_N, Form::I_minus_Q_N};

/// Rounding grows with the size of the entries and, through D_u^(-1/2), with the condition of D_u.
double tolerance(const ListedSheaf& listed) {
  const MatrixXd degree = direct::degrees(listed);
  const double root = direct::inverse_root(degree, listed.d).cwiseAbs().maxCoeff();
  const double condition = degree.cwiseAbs().maxCoeff() * root * root;
  return 1e-13 * (100 + degree.cwiseAbs().maxCoeff() + condition);
}

RC_GTEST_PROP(SheafProperties, EveryConstructionGivesTheSameMatrix, ()) {
  const ListedSheaf listed = arbitrary_sheaf();
  const DirectedSheaf sheaf = build(listed);
  const double limit = tolerance(listed);
  for (const Form form : kForms) {
    const MatrixXcd expected = direct::matrix(listed, form);
    RC_ASSERT(distance(images(sheaf, form), expected) <= limit);
    RC_ASSERT(distance(sheaf::dense(sheaf, form), expected) <= limit);
    RC_ASSERT(distance(to_eigen(sheaf::assemble(sheaf, form)), expected) <= limit);
  }
}

// Theorem 'diagonalizable'.
RC_GTEST_PROP(SheafProperties, EveryMatrixIsHermitian, ()) {
  const ListedSheaf listed = arbitrary_sheaf();
  const DirectedSheaf sheaf = build(listed);
  for (const Form form : kForms) {
    const MatrixXcd matrix = images(sheaf, form);
    RC_ASSERT(distance(matrix, matrix.adjoint()) <= tolerance(listed));
  }
}

// Corollary 'psd' and Theorem 'bounded-spectrum'.
RC_GTEST_PROP(SheafProperties, SpectrumLiesBetweenZeroAndTheBound, ()) {
  const ListedSheaf listed = arbitrary_sheaf();
  const DirectedSheaf sheaf = build(listed);
  for (const Form form : kForms) {
    const VectorXd values = eigenvalues(images(sheaf, form));
    RC_ASSERT(values.minCoeff() >= -tolerance(listed));
    RC_ASSERT(values.maxCoeff() <= sheaf.spectral_bound(form) + tolerance(listed));
  }
  RC_ASSERT(sheaf.spectral_bound(Form::L_N) == 1.0);
}

// Theorem 'dirichlet'.
RC_GTEST_PROP(SheafProperties, EnergyIsTheSumOfSquaresAndTheQuadraticForm, ()) {
  const ListedSheaf listed = arbitrary_sheaf();
  const DirectedSheaf sheaf = build(listed);
  Random random(7);
  const MatrixXcd x = random_signal(sheaf.dimension(), 3, random);
  const at::Tensor planar = sheaf::to_planar(to_tensor(x), listed.d);
  for (const bool normalized : {true, false}) {
    const VectorXd expected = direct::dirichlet_energy(listed, x, normalized);
    const at::Tensor squares = sheaf.dirichlet_energy(planar, normalized);
    const at::Tensor form = sheaf.energy(planar, normalized);
    const double limit = tolerance(listed) * (1 + x.squaredNorm());
    for (std::int64_t c = 0; c < 3; ++c) {
      RC_ASSERT(squares[c].item<double>() >= 0);
      RC_ASSERT(std::abs(squares[c].item<double>() - expected[c]) <= limit);
      RC_ASSERT(std::abs(form[c].item<double>() - expected[c]) <= limit);
    }
  }
}

RC_GTEST_PROP(SheafProperties, UndirectedHyperedgesDoNotFeelTheCharge, ()) {
  ListedSheaf listed = arbitrary_sheaf();
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  ListedSheaf uncharged = listed;
  uncharged.q = 0;
  for (std::size_t e = 0; e < listed.edges.size(); ++e) {
    const Role role = random.below(2) == 0 ? Role::tail : Role::head;
    for (Member& member : listed.edges[e]) member.role = role;
    for (Member& member : uncharged.edges[e]) member.role = Role::tail;
  }
  const DirectedSheaf sheaf = build(listed);
  RC_ASSERT(sheaf.is_real());
  for (const Form form : kForms) {
    // Roles order the sums, so the last bits may differ.
    RC_ASSERT(distance(images(sheaf, form), images(build(uncharged), form)) <= tolerance(listed));
    RC_ASSERT(distance(direct::matrix(listed, form), images(sheaf, form)) <= tolerance(listed));
  }
}

// In a hypergraph that has directed hyperedges too, the phases are computed and have to cancel.
RC_GTEST_PROP(SheafProperties, RolesOfUndirectedHyperedgesDoNotMatter, ()) {
  ListedSheaf listed = arbitrary_sheaf();
  ListedSheaf flipped = listed;
  for (auto& members : flipped.edges) {
    const bool undirected = std::all_of(members.begin(), members.end(), [&](const Member& member) {
      return member.role == members.front().role;
    });
    for (Member& member : members) {
      if (undirected) member.role = member.role == Role::tail ? Role::head : Role::tail;
    }
  }
  for (const Form form : kForms) {
    RC_ASSERT(distance(images(build(listed), form), images(build(flipped), form)) <= tolerance(listed));
  }
}

RC_GTEST_PROP(SheafProperties, ReversalOfDirectionsIsComplexConjugation, ()) {
  const ListedSheaf listed = arbitrary_sheaf();
  ListedSheaf reversed = listed;
  for (auto& members : reversed.edges) {
    for (Member& member : members) member.role = member.role == Role::tail ? Role::head : Role::tail;
  }
  ListedSheaf opposite_charge = listed;
  opposite_charge.q = -listed.q;
  for (const Form form : kForms) {
    const MatrixXcd conjugate = images(build(listed), form).conjugate();
    RC_ASSERT(distance(images(build(reversed), form), conjugate) <= tolerance(listed));
    RC_ASSERT(distance(images(build(opposite_charge), form), conjugate) <= tolerance(listed));
  }
}

RC_GTEST_PROP(SheafProperties, RenumberingNodesAndHyperedgesPermutesTheMatrix, ()) {
  const ListedSheaf listed = arbitrary_sheaf();
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<Index> order(listed.n);
  for (Index u = 0; u < listed.n; ++u) order[u] = u;
  random.shuffle(order);
  ListedSheaf renumbered = listed;
  std::reverse(renumbered.edges.begin(), renumbered.edges.end());
  std::reverse(renumbered.weights.begin(), renumbered.weights.end());
  for (auto& members : renumbered.edges) {
    for (Member& member : members) member.node = order[member.node];
  }
  for (const Form form : kForms) {
    const MatrixXcd before = images(build(listed), form);
    const MatrixXcd after = images(build(renumbered), form);
    for (Index u = 0; u < listed.n; ++u) {
      for (Index v = 0; v < listed.n; ++v) {
        const std::int64_t d = listed.d;
        RC_ASSERT(distance(after.block(order[u] * d, order[v] * d, d, d), before.block(u * d, v * d, d, d)) <=
                  tolerance(listed));
      }
    }
  }
}

/// Q_N of hyperedges that list a member as often as it counts, copy by copy.
MatrixXcd normalized_of_copies(const ListedSheaf& listed) {
  const std::int64_t d = listed.d;
  MatrixXcd q = MatrixXcd::Zero(listed.n * d, listed.n * d);
  MatrixXd degree = MatrixXd::Zero(listed.n * d, listed.n * d);
  for (std::size_t e = 0; e < listed.edges.size(); ++e) {
    std::vector<Member> copies;
    for (const Member& member : listed.edges[e])
      copies.insert(copies.end(), static_cast<int>(member.times), member);
    const auto phase = [&](const Member& member) {
      return member.role == Role::head ? Complex(1) : std::polar(1.0, -2 * std::numbers::pi * listed.q);
    };
    for (const Member& u : copies) {
      degree.block(u.node * d, u.node * d, d, d) += listed.weight(e) * u.map.transpose() * u.map;
      for (const Member& v : copies) {
        const Complex factor =
            std::conj(phase(u)) * phase(v) * listed.weight(e) / static_cast<double>(copies.size());
        q.block(u.node * d, v.node * d, d, d) += factor * (u.map.transpose() * v.map).cast<Complex>();
      }
    }
  }
  const MatrixXd root = direct::inverse_root(degree, d);
  return root * q * root;
}

RC_GTEST_PROP(SheafProperties, AnIncidenceOfWeightThreeIsAMemberListedThreeTimes, ()) {
  ListedSheaf listed = arbitrary_sheaf();
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  for (auto& members : listed.edges) {
    for (Member& member : members) member.times = static_cast<double>(1 + random.below(3));
  }
  RC_ASSERT(distance(images(build(listed), Form::Q_N), normalized_of_copies(listed)) <= tolerance(listed));
}

RC_GTEST_PROP(SheafProperties, TheUnitOfIncidenceWeightsDoesNotMatter, ()) {
  const ListedSheaf listed = arbitrary_sheaf();
  ListedSheaf scaled = listed;
  for (auto& members : scaled.edges) {
    for (Member& member : members) member.times *= 7.5;
  }
  for (const Form form : {Form::L_N, Form::Q_N})
    RC_ASSERT(distance(images(build(listed), form), images(build(scaled), form)) <= tolerance(listed));
}

RC_GTEST_PROP(SheafProperties, ChargeHasPeriodOne, ()) {
  const ListedSheaf listed = arbitrary_sheaf();
  ListedSheaf next = listed;
  next.q += 1;
  for (const Form form : kForms) {
    RC_ASSERT(distance(images(build(listed), form), images(build(next), form)) <= tolerance(listed));
  }
}

RC_GTEST_PROP(SheafProperties, ScalingAllMapsOfANodeLeavesTheNormalizedOperator, ()) {
  const ListedSheaf listed = arbitrary_sheaf();
  ListedSheaf scaled = listed;
  for (auto& members : scaled.edges) {
    for (Member& member : members) member.map *= 1.0 + member.node;
  }
  for (const Form form : {Form::L_N, Form::Q_N}) {
    RC_ASSERT(distance(images(build(listed), form), images(build(scaled), form)) <= tolerance(listed));
  }
}

}  // namespace
}  // namespace dshn::test
