#include "dshn/sheaf/spectrum.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <numeric>

#include "dshn/base/error.hpp"
#include "dshn/sheaf/classical.hpp"
#include "sheaf/eigen.hpp"
#include "sheaf/random_sheaf.hpp"

namespace dshn::test {
namespace {

using sheaf::DirectedSheaf;
using sheaf::End;
using sheaf::Form;

/// Large enough for the iterative path, with members drawn inside each of some parts: every part brings
/// eigenvalues 0 of its own.
Hypergraph parts(Index part_size, Index part_count, Index edges_per_part, bool directed, Random& random) {
  std::vector<Index> edge;
  std::vector<Index> node;
  std::vector<Role> role;
  Index e = 0;
  for (Index part = 0; part < part_count; ++part) {
    for (Index i = 0; i < edges_per_part; ++i, ++e) {
      for (const Index u : random.sample(part_size, 4)) {
        edge.push_back(e);
        node.push_back(part * part_size + u);
        role.push_back(directed && random.below(2) == 0 ? Role::head : Role::tail);
      }
    }
  }
  return {part_size * part_count, e, {edge, node, role}};
}

class Spectrum : public testing::Test {
 protected:
  void SetUp() override {
    if (!sheaf::has_spectrum()) GTEST_SKIP() << "this build has no Spectra";
  }

  static void expect_agreement(const DirectedSheaf& sheaf, Form form, End end, std::int64_t count) {
    SCOPED_TRACE(std::string(sheaf::form_name(form)) + (end == End::smallest ? " smallest" : " largest"));
    const VectorXd all = eigenvalues(images(sheaf, form));

    const sheaf::Eigenpairs pairs =
        sheaf::extreme_eigenpairs(sheaf, {.form = form, .end = end, .count = count, .seed = 5});

    EXPECT_TRUE(pairs.converged);
    ASSERT_EQ(pairs.values.size(), static_cast<std::size_t>(count));
    const double scale = sheaf.spectral_bound(form);
    for (std::int64_t j = 0; j < count; ++j) {
      EXPECT_NEAR(pairs.values[j], all[end == End::smallest ? j : all.size() - 1 - j], 1e-8 * scale);
      EXPECT_LE(pairs.residuals[j], 1e-8 * scale);
    }
    const MatrixXcd v = to_eigen(sheaf::to_complex(pairs.vectors));
    EXPECT_LT(distance(v.adjoint() * v, MatrixXcd::Identity(count, count)), 1e-8);
    const MatrixXcd image = to_eigen(sheaf::to_complex(sheaf.apply(form, pairs.vectors)));
    for (std::int64_t j = 0; j < count; ++j) {
      EXPECT_NEAR((image.col(j) - pairs.values[j] * v.col(j)).norm(), pairs.residuals[j], 1e-12 * scale);
    }
  }
};

TEST_F(Spectrum, IterativeAgreesWithDenseOnComplexOperators) {
  Random random(1);
  const Hypergraph h = parts(160, 1, 200, true, random);
  const DirectedSheaf sheaf(
      h, 0.25, sheaf::random_maps(sheaf::map_kind("general"), h.incidence_count(), 2, random), 2);
  for (const Form form : {Form::L_N, Form::L}) {
    expect_agreement(sheaf, form, End::smallest, 4);
    expect_agreement(sheaf, form, End::largest, 4);
  }
}

TEST_F(Spectrum, IterativeAgreesWithDenseOnRealOperators) {
  Random random(2);
  const Hypergraph h = parts(300, 1, 400, false, random);
  const DirectedSheaf sheaf(
      h, 0.25, sheaf::random_maps(sheaf::map_kind("diagonal"), h.incidence_count(), 1, random), 1);
  ASSERT_TRUE(sheaf.is_real());
  expect_agreement(sheaf, Form::L_N, End::smallest, 6);
  expect_agreement(sheaf, Form::L, End::largest, 6);
}

// Trivial maps, d = 2: each of five connected parts brings the eigenvalue 0 twice, so it comes ten times.
TEST_F(Spectrum, TrueMultiplicitiesAreFoundAndDoublesAreNot) {
  Random random(3);
  const Hypergraph h = parts(40, 5, 120, false, random);
  const DirectedSheaf sheaf(h, 0, at::ones({h.incidence_count(), 1}, at::kDouble), 2);

  const sheaf::Eigenpairs pairs = sheaf::extreme_eigenpairs(sheaf, {.count = 12});

  EXPECT_TRUE(pairs.converged);
  ASSERT_EQ(pairs.values.size(), 12U);
  for (std::size_t j = 0; j < 10; ++j) EXPECT_NEAR(pairs.values[j], 0, 1e-10);
  EXPECT_GT(pairs.values[10], 1e-3);
  expect_agreement(sheaf, Form::L_N, End::smallest, 12);
}

// Few hyperedges: Q_N has a large null space, so that I - Q_N has the eigenvalue 1 many times.
TEST_F(Spectrum, CrowdedEndsAreComplete) {
  Random random(4);
  const Hypergraph h = parts(150, 1, 40, true, random);
  const DirectedSheaf sheaf(
      h, 0.1, sheaf::random_maps(sheaf::map_kind("diagonal"), h.incidence_count(), 2, random), 2);
  expect_agreement(sheaf, Form::I_minus_Q_N, End::largest, 8);
  expect_agreement(sheaf, Form::L_N, End::smallest, 8);
}

// With trivial maps a hyperedge of one member gives D_V = 1 and Q = 1 there: L and L_N are 0, Q and Q_N the identity.
TEST_F(Spectrum, OfSingletonsIsFoundThoughAllEigenvaluesAreEqual) {
  constexpr Index kNodes = 1000;
  std::vector<Index> alone(kNodes);
  std::iota(alone.begin(), alone.end(), 0);
  const Hypergraph singletons(kNodes, kNodes, {alone, alone, std::vector<Role>(kNodes, Role::tail)});
  const DirectedSheaf sheaf(singletons, 0.25, at::ones({kNodes, 1}, at::kDouble), 1);
  const std::vector<std::pair<Form, double>> expected{
      {Form::L, 0}, {Form::L_N, 0}, {Form::Q, 1}, {Form::Q_N, 1}, {Form::I_minus_Q_N, 0}};
  for (const auto& [form, value] : expected) {
    for (const End end : {End::smallest, End::largest}) {
      SCOPED_TRACE(sheaf::form_name(form));
      const sheaf::Eigenpairs pairs =
          sheaf::extreme_eigenpairs(sheaf, {.form = form, .end = end, .count = 3, .seed = 5});
      EXPECT_TRUE(pairs.converged);
      ASSERT_EQ(pairs.values.size(), 3U);
      for (const double found : pairs.values) EXPECT_NEAR(found, value, 1e-12);
    }
  }
}

TEST_F(Spectrum, SmallMatricesAreSolvedDensely) {
  const std::vector<sheaf::Arc> path{{0, 1}, {1, 2}};
  const DirectedSheaf sheaf = sheaf::graph_laplacian(3, path);

  const sheaf::Eigenpairs pairs = sheaf::extreme_eigenpairs(sheaf, {.form = Form::L, .count = 3});

  // D - A of a path of three has 0, 1 and 3.
  ASSERT_EQ(pairs.values.size(), 3U);
  EXPECT_NEAR(pairs.values[0], 0, 1e-14);
  EXPECT_NEAR(pairs.values[1], 0.5, 1e-14);
  EXPECT_NEAR(pairs.values[2], 1.5, 1e-14);
  EXPECT_TRUE(pairs.converged);
}

TEST_F(Spectrum, SameSeedSameBits) {
  Random random(6);
  const Hypergraph h = parts(300, 1, 300, true, random);
  const DirectedSheaf sheaf(h, 0.25, at::ones({h.incidence_count(), 1}, at::kDouble), 1);
  const auto first = sheaf::extreme_eigenpairs(sheaf, {.count = 3, .seed = 9});
  const auto again = sheaf::extreme_eigenpairs(sheaf, {.count = 3, .seed = 9});
  EXPECT_EQ(first.values, again.values);
  EXPECT_TRUE(at::equal(first.vectors, again.vectors));
}

TEST_F(Spectrum, GivingUpIsReported) {
  Random random(7);
  const Hypergraph h = parts(400, 1, 600, true, random);
  const DirectedSheaf sheaf(h, 0.25, at::ones({h.incidence_count(), 1}, at::kDouble), 1);
  const auto pairs = sheaf::extreme_eigenpairs(sheaf, {.count = 10, .tolerance = 1e-12, .max_restarts = 1});
  EXPECT_FALSE(pairs.converged);
}

TEST_F(Spectrum, RefusesImpossibleCounts) {
  const DirectedSheaf sheaf = sheaf::graph_laplacian(3, {});
  EXPECT_THROW(sheaf::extreme_eigenpairs(sheaf, {.count = 0}), UsageError);
  EXPECT_THROW(sheaf::extreme_eigenpairs(sheaf, {.count = 4}), UsageError);
  EXPECT_THROW(sheaf::extreme_eigenpairs(sheaf, {.count = 1, .tolerance = -1}), UsageError);
}

}  // namespace
}  // namespace dshn::test
