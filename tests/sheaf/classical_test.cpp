// The theorems of 'Generalization Properties': each special case against the matrix of its own literature,
// built here from adjacency and incidence matrices.
#include "dshn/sheaf/classical.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "dshn/base/error.hpp"
#include "sheaf/eigen.hpp"
#include "sheaf/random_sheaf.hpp"

namespace dshn::test {
namespace {

using sheaf::Arc;
using sheaf::DirectedSheaf;
using sheaf::Form;

constexpr double kTolerance = 1e-12;

std::vector<Arc> arbitrary_arcs(Index n, bool loops) {
  std::vector<Arc> arcs;
  const auto draws = *rc::gen::container<std::vector<std::pair<Index, Index>>>(
      rc::gen::pair(rc::gen::inRange<Index>(0, n), rc::gen::inRange<Index>(0, n)));
  for (const auto& [from, to] : draws) {
    if (loops || from != to) arcs.push_back({from, to});
  }
  return arcs;
}

/// d^(-1/2), and 0 where d is 0.
MatrixXd inverse_root(const VectorXd& degrees) {
  VectorXd roots = VectorXd::Zero(degrees.size());
  for (Eigen::Index u = 0; u < degrees.size(); ++u) {
    if (degrees[u] > 0) roots[u] = 1 / std::sqrt(degrees[u]);
  }
  return roots.asDiagonal();
}

// Theorem 'bodnar', trivial sheaf.
RC_GTEST_PROP(Classical, TwiceTheOperatorIsTheGraphLaplacian, ()) {
  const Index n = *rc::gen::inRange<Index>(1, 9);
  const std::vector<Arc> edges = arbitrary_arcs(n, true);
  MatrixXd adjacency = MatrixXd::Zero(n, n);
  for (const auto& [from, to] : edges) {
    adjacency(from, to) += 1;
    if (from != to) adjacency(to, from) += 1;
  }
  const VectorXd degrees = adjacency.rowwise().sum();

  const DirectedSheaf sheaf = sheaf::graph_laplacian(n, edges);

  RC_ASSERT(distance(2 * images(sheaf, Form::L), MatrixXd(degrees.asDiagonal()) - adjacency) <= kTolerance);
}

// Theorem 'bodnar': delta^T delta with an arbitrary orientation of the edges.
RC_GTEST_PROP(Classical, TwiceTheOperatorIsTheSheafLaplacianOfHansenAndGebhart, ()) {
  const Index n = *rc::gen::inRange<Index>(2, 7);
  const std::int64_t d = *rc::gen::inRange<std::int64_t>(1, 5);
  const std::vector<Arc> edges = arbitrary_arcs(n, false);
  const auto count = static_cast<std::int64_t>(edges.size());
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const at::Tensor maps =
      sheaf::random_maps(sheaf::map_kind("general"), 2 * count, d, random).reshape({count, 2, d, d});
  MatrixXd coboundary = MatrixXd::Zero(count * d, n * d);
  for (std::int64_t e = 0; e < count; ++e) {
    for (std::int64_t a = 0; a < d; ++a) {
      for (std::int64_t b = 0; b < d; ++b) {
        coboundary(e * d + a, edges[e].from * d + b) = maps[e][0][a][b].item<double>();
        coboundary(e * d + a, edges[e].to * d + b) = -maps[e][1][a][b].item<double>();
      }
    }
  }

  const DirectedSheaf sheaf = sheaf::sheaf_laplacian(n, edges, maps);

  const MatrixXd expected = coboundary.transpose() * coboundary;
  RC_ASSERT(distance(2 * images(sheaf, Form::L), expected) <=
            kTolerance * (1 + expected.cwiseAbs().maxCoeff()));
}

struct Magnetic {
  MatrixXd adjacency, symmetric;
  VectorXd degrees;

  Magnetic(Index n, const std::vector<Arc>& arcs) : adjacency(MatrixXd::Zero(n, n)) {
    for (const auto& [from, to] : arcs) adjacency(from, to) = 1;
    symmetric = 0.5 * (adjacency + adjacency.transpose());
    degrees = symmetric.rowwise().sum();
  }

  /// H = A_s o exp(i Theta), Theta = 2 pi q (A - A^T).
  MatrixXcd h(double q) const {
    MatrixXcd result(adjacency.rows(), adjacency.cols());
    for (Eigen::Index u = 0; u < result.rows(); ++u) {
      for (Eigen::Index v = 0; v < result.cols(); ++v) {
        const double theta = 2 * std::numbers::pi * q * (adjacency(u, v) - adjacency(v, u));
        result(u, v) = std::polar(symmetric(u, v), theta);
      }
    }
    return result;
  }
};

// Theorem 'magnet' and its erratum: D_V = 2 D_s, Q = D_s + H.
RC_GTEST_PROP(Classical, TheOperatorIsTheMagneticLaplacian, ()) {
  const Index n = *rc::gen::inRange<Index>(1, 8);
  const std::vector<Arc> arcs = arbitrary_arcs(n, true);
  const double q = *rc::gen::inRange(-150, 151) / 100.0;
  const Magnetic magnetic(n, arcs);
  const MatrixXcd h = magnetic.h(q);
  const MatrixXd degrees = magnetic.degrees.asDiagonal();
  const MatrixXd root = inverse_root(magnetic.degrees);
  const MatrixXcd normalized = root * (degrees - h) * root;

  const DirectedSheaf sheaf = sheaf::magnetic_laplacian(n, arcs, q);

  RC_ASSERT(distance(images(sheaf, Form::L), degrees - h) <= kTolerance);
  RC_ASSERT(distance(images(sheaf, Form::Q), degrees + h) <= kTolerance);
  RC_ASSERT(distance(images(sheaf, Form::L_N), 0.5 * normalized) <= kTolerance);
}

// Theorem 'magnet' at q = 1/4: H^sigma = A_s o (1 1^T - sgn|A - A^T| + i sgn(|A| - |A^T|)).
RC_GTEST_PROP(Classical, TheOperatorIsTheSignMagneticLaplacian, ()) {
  const Index n = *rc::gen::inRange<Index>(1, 8);
  const std::vector<Arc> arcs = arbitrary_arcs(n, true);
  const Magnetic magnetic(n, arcs);
  const auto sign = [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; };
  MatrixXcd h(n, n);
  for (Index u = 0; u < n; ++u) {
    for (Index v = 0; v < n; ++v) {
      const double there = magnetic.adjacency(u, v);
      const double back = magnetic.adjacency(v, u);
      h(u, v) = magnetic.symmetric(u, v) * Complex(1 - sign(std::abs(there - back)), sign(there - back));
    }
  }

  const DirectedSheaf sheaf = sheaf::sign_magnetic_laplacian(n, arcs);

  const MatrixXd degrees = magnetic.degrees.asDiagonal();
  RC_ASSERT(distance(images(sheaf, Form::L), degrees - h) <= kTolerance);
}

/// W D_E^-1 of a listed hypergraph, and D_V of the trivial sheaf.
struct Sizes {
  VectorXd edge, node;

  explicit Sizes(const ListedSheaf& listed)
      : edge(VectorXd::Zero(static_cast<Eigen::Index>(listed.edges.size()))), node(VectorXd::Zero(listed.n)) {
    for (std::size_t e = 0; e < listed.edges.size(); ++e) {
      edge[static_cast<Eigen::Index>(e)] = listed.weight(e) / listed.size(e);
      for (const Member& member : listed.edges[e]) node[member.node] += listed.weight(e) * member.times;
    }
  }
};

// Theorem 'zhou', for directed hypergraphs and for weights of hyperedges and incidences as well.
RC_GTEST_PROP(Classical, TheNormalizedOperatorIsZhous, ()) {
  const ListedSheaf listed = arbitrary_sheaf();
  const Sizes sizes(listed);
  MatrixXd incidence = MatrixXd::Zero(listed.n, sizes.edge.size());
  for (std::size_t e = 0; e < listed.edges.size(); ++e) {
    for (const Member& member : listed.edges[e])
      incidence(member.node, static_cast<Eigen::Index>(e)) = member.times;
  }
  const MatrixXd root = inverse_root(sizes.node);

  const DirectedSheaf sheaf = sheaf::zhou_laplacian(build_hypergraph(listed));

  const MatrixXd expected = MatrixXd::Identity(listed.n, listed.n) -
                            root * incidence * sizes.edge.asDiagonal() * incidence.transpose() * root;
  RC_ASSERT(distance(images(sheaf, Form::I_minus_Q_N), expected) <= kTolerance);
}

// Theorem 'gedi': entry by entry, with the net flow between u and v in the imaginary part.
RC_GTEST_PROP(Classical, TheNormalizedOperatorIsTheGeneralizedDirectedLaplacian, ()) {
  ListedSheaf listed = arbitrary_sheaf();
  listed.weights.clear();
  const Sizes sizes(listed);
  MatrixXcd expected = MatrixXcd::Identity(listed.n, listed.n);
  for (std::size_t e = 0; e < listed.edges.size(); ++e) {
    for (const Member& u : listed.edges[e]) {
      for (const Member& v : listed.edges[e]) {
        const Complex flow = u.role == v.role       ? Complex(1)
                             : u.role == Role::tail ? Complex(0, 1)
                                                    : Complex(0, -1);
        expected(u.node, v.node) -= flow * u.times * v.times * sizes.edge[static_cast<Eigen::Index>(e)] /
                                    std::sqrt(sizes.node[u.node] * sizes.node[v.node]);
      }
    }
  }

  const DirectedSheaf sheaf = sheaf::generalized_directed_laplacian(build_hypergraph(listed));

  RC_ASSERT(distance(images(sheaf, Form::I_minus_Q_N), expected) <= kTolerance);
}

// Definition 'iulia-laplacian'.
RC_GTEST_PROP(Classical, DutasLaplacianIsWhatTheyDefine, ()) {
  ListedSheaf listed = arbitrary_sheaf();
  listed.weights.clear();
  const std::int64_t d = listed.d;
  MatrixXd expected = MatrixXd::Zero(listed.n * d, listed.n * d);
  for (std::size_t e = 0; e < listed.edges.size(); ++e) {
    for (const Member& u : listed.edges[e]) {
      for (const Member& v : listed.edges[e]) {
        const double sign = u.node == v.node ? 1.0 : -1.0;
        expected.block(u.node * d, v.node * d, d, d) +=
            sign * u.times * v.times / listed.size(e) * u.map.transpose() * v.map;
      }
    }
  }
  const DirectedSheaf sheaf = build(listed);

  const sheaf::DutaLaplacian duta(sheaf.hypergraph(), sheaf.maps(), d);

  const double limit = kTolerance * (1 + expected.cwiseAbs().maxCoeff());
  const at::Tensor identity = sheaf::to_planar(at::eye(listed.n * d, at::kDouble), d, 1);
  RC_ASSERT(distance(to_eigen(sheaf::to_complex(duta.apply(identity))), expected) <= limit);
  RC_ASSERT(distance(to_eigen(duta.assemble()), expected) <= limit);
}

TEST(Classical, DutasLaplacianOfTheCounterexampleHasANegativeEigenvalue) {
  const sheaf::DutaLaplacian duta = sheaf::duta_counterexample();

  const VectorXd values = eigenvalues(to_eigen(duta.assemble()));

  EXPECT_NEAR(values[0], (1 - std::sqrt(17.0)) / 6, kTolerance);
  EXPECT_NEAR(values[1], 1.0 / 3, kTolerance);
  EXPECT_NEAR(values[2], (1 + std::sqrt(17.0)) / 6, kTolerance);
  EXPECT_NEAR(values[3], 4.0 / 3, kTolerance);
  EXPECT_GE(eigenvalues(images(duta.sheaf(), Form::L)).minCoeff(), -kTolerance);
}

TEST(Classical, MagneticLaplacianMergesOppositeArcs) {
  const std::vector<Arc> arcs{{0, 1}, {1, 0}, {1, 2}, {1, 2}};

  const DirectedSheaf sheaf = sheaf::magnetic_laplacian(3, arcs, 0.25);

  ASSERT_EQ(sheaf.hypergraph().edge_count(), 2);
  EXPECT_FALSE(sheaf.hypergraph().is_directed(0));
  EXPECT_TRUE(sheaf.hypergraph().is_directed(1));
  EXPECT_DOUBLE_EQ(sheaf.maps()[0][0].item<double>(), std::numbers::sqrt2);
  EXPECT_DOUBLE_EQ(sheaf.maps()[2][0].item<double>(), 1.0);
}

TEST(Classical, RefusesWhatDoesNotFit) {
  const std::vector<Arc> loop{{1, 1}};
  EXPECT_THROW(sheaf::sheaf_laplacian(3, loop, at::ones({1, 2, 2, 2}, at::kDouble)), UsageError);
  const std::vector<Arc> edge{{0, 1}};
  EXPECT_THROW(sheaf::sheaf_laplacian(3, edge, at::ones({2, 2, 2}, at::kDouble)), UsageError);
  const std::vector<Arc> outside{{0, 3}};
  EXPECT_THROW(sheaf::graph_laplacian(3, outside), InvalidInput);
}

}  // namespace
}  // namespace dshn::test
