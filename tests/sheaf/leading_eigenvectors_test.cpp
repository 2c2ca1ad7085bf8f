#include "dshn/sheaf/leading_eigenvectors.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "sheaf/eigen.hpp"
#include "support/message_of.hpp"
#include "support/with_threads.hpp"

namespace dshn::test {
namespace {

using sheaf::DirectedSheaf;
using sheaf::Form;
using sheaf::leading_eigenvectors;
using sheaf::LeadingEigenvectors;

/// Above this many nodes the method iterates.
constexpr Index kIterated = 640;

Hypergraph drawn(Index nodes, double directed_share, Index hyperedges) {
  RandomOptions options;
  options.nodes = nodes;
  options.hyperedges = hyperedges;
  options.directed_share = directed_share;
  options.seed = 4;
  return random_hypergraph(options);
}

Hypergraph drawn(Index nodes, double directed_share) {
  return drawn(nodes, directed_share, nodes);
}

Hypergraph with_weights(const Hypergraph& h) {
  std::vector<Index> edge;
  std::vector<Index> node;
  std::vector<Role> role;
  HypergraphExtras extras;
  for (Index e = 0; e < h.edge_count(); ++e) {
    extras.edge_weights.push_back(0.5 + e % 7);
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
      edge.push_back(e);
      node.push_back(h.member_nodes()[i]);
      role.push_back(h.role(e, i));
    }
  }
  return {h.node_count(), h.edge_count(), {edge, node, role}, OnConflict::error, extras};
}

/// Undirected hyperedges of three neighbours on each of some equal paths.
Hypergraph paths(Index count, Index length) {
  std::vector<Index> edge;
  std::vector<Index> node;
  Index e = 0;
  for (Index path = 0; path < count; ++path) {
    for (Index i = 0; i + 2 < length; ++i, ++e) {
      for (const Index next : {0, 1, 2}) {
        edge.push_back(e);
        node.push_back(path * length + i + next);
      }
    }
  }
  return {count * length, e, {edge, node, {}}};
}

DirectedSheaf trivial(const Hypergraph& h, double charge) {
  return {h, charge, at::ones({h.incidence_count(), 1}, at::kDouble), 1};
}

/// The `count` largest eigenvalues of the dense matrix, orthonormal vectors and residuals within the tolerance.
LeadingEigenvectors expect_leading(const DirectedSheaf& sheaf, std::int64_t count) {
  const VectorXd all = eigenvalues(images(sheaf, Form::Q_N));
  const LeadingEigenvectors found = leading_eigenvectors(sheaf, {.count = count});
  EXPECT_EQ(found.vectors.sizes(),
            (at::IntArrayRef{sheaf.hypergraph().node_count(), 1, sheaf.planes(), count}));
  const MatrixXcd v = to_eigen(sheaf::to_complex(found.vectors));
  EXPECT_LT(distance(v.adjoint() * v, MatrixXcd::Identity(count, count)), 1e-11);
  const MatrixXcd image = to_eigen(sheaf::to_complex(sheaf.apply(Form::Q_N, found.vectors)));
  for (std::int64_t j = 0; j < count; ++j) {
    EXPECT_NEAR(found.values[j], all[all.size() - 1 - j], 1e-10);
    EXPECT_LE((image.col(j) - found.values[j] * v.col(j)).norm(), 1.01e-8);
  }
  return found;
}

TEST(LeadingEigenvectors, AgreeWithADenseDecomposition) {
  for (const Index nodes : {50, kIterated}) {
    expect_leading(trivial(drawn(nodes, 1), 0.25), 7);
    expect_leading(trivial(drawn(nodes, 0.5), -0.1), 16);
    expect_leading(trivial(with_weights(drawn(nodes, 0.5)), 0.25), 3);
  }
}

TEST(LeadingEigenvectors, AreRealWithoutChargeOrDirection) {
  for (const Index nodes : {50, kIterated}) {
    EXPECT_EQ(expect_leading(trivial(drawn(nodes, 1), 0), 5).vectors.size(2), 1);
    EXPECT_EQ(expect_leading(trivial(drawn(nodes, 0), 0.25), 5).vectors.size(2), 1);
  }
}

// Twenty equal paths: every eigenvalue comes twenty times, and thirty vectors end amid the second one.
TEST(LeadingEigenvectors, MissNoMultiplicity) {
  const DirectedSheaf sheaf = trivial(paths(20, 40), 0);
  const LeadingEigenvectors found = expect_leading(sheaf, 30);
  EXPECT_NEAR(found.values[19], 1, 1e-10);
  EXPECT_LT(found.values[20], 0.999);
  EXPECT_NEAR(found.values[20], found.values[29], 1e-10);
  // The space of the eigenvalue 1: the roots of the degrees on each of the paths.
  MatrixXcd space = MatrixXcd::Zero(800, 20);
  for (Index u = 0; u < 800; ++u) space(u, u / 40) = std::sqrt(sheaf.hypergraph().degree(u));
  for (Index path = 0; path < 20; ++path) space.col(path).normalize();
  const MatrixXcd v = to_eigen(sheaf::to_complex(found.vectors)).leftCols(20);
  EXPECT_LT(distance(v * v.adjoint(), space * space.adjoint()), 1e-7);
}

TEST(LeadingEigenvectors, HaveTheirLargestEntryRealAndPositive) {
  for (const Index nodes : {50, kIterated}) {
    const DirectedSheaf sheaf = trivial(drawn(nodes, 1), 0.25);
    const MatrixXcd v = to_eigen(sheaf::to_complex(leading_eigenvectors(sheaf, {.count = 9}).vectors));
    for (std::int64_t j = 0; j < v.cols(); ++j) {
      const double largest = v.col(j).cwiseAbs().maxCoeff();
      std::int64_t first = 0;
      while (std::abs(v(first, j)) < (1 - 1e-6) * largest) ++first;
      EXPECT_EQ(v(first, j).imag(), 0.0);
      EXPECT_GT(v(first, j).real(), 0.0);
    }
  }
}

// One undirected pair: (1, 1) and (1, -1) over the root of 2. Both entries are largest, the first one decides.
TEST(LeadingEigenvectors, TurnByTheFirstOfEqualEntries) {
  const std::vector<Index> edge{0, 0};
  const std::vector<Index> node{0, 1};
  const LeadingEigenvectors found = leading_eigenvectors(trivial({2, 1, {edge, node, {}}}, 0), {.count = 2});
  const MatrixXcd v = to_eigen(sheaf::to_complex(found.vectors));
  MatrixXcd expected(2, 2);
  expected << 1, 1, 1, -1;
  EXPECT_LT(distance(v, expected / std::sqrt(2.0)), 1e-12);
}

TEST(LeadingEigenvectors, VanishOnNodesInNoHyperedge) {
  std::vector<Index> edge{0, 0, 0};
  std::vector<Index> node{5, 6, 7};
  std::vector<Role> role{Role::tail, Role::tail, Role::head};
  const Hypergraph lone(kIterated, 1, {edge, node, role});
  const LeadingEigenvectors found = expect_leading(trivial(lone, 0.25), 4);
  EXPECT_NEAR(found.values[0], 1, 1e-12);
  EXPECT_NEAR(found.values[1], 0, 1e-12);
  const at::Tensor elsewhere = found.vectors.select(3, 0).slice(0, 8);
  EXPECT_LT(elsewhere.abs().max().item<double>(), 1e-12);

  expect_leading(trivial(Hypergraph(kIterated, 0, {}), 0.25), 3);
}

TEST(LeadingEigenvectors, MayBeAsManyAsThereAreNodes) {
  expect_leading(trivial(drawn(40, 1), 0.25), 40);
  expect_leading(trivial(drawn(40, 1), 0.25), 39);
  expect_leading(trivial(drawn(kIterated, 1), 0), 100);
}

TEST(LeadingEigenvectors, RefuseWhatCannotBe) {
  const DirectedSheaf sheaf = trivial(drawn(40, 1), 0.25);
  for (const std::int64_t count : {0, 41}) {
    EXPECT_EQ(
        message_of<UsageError>([&] { leading_eigenvectors(sheaf, {.count = count}); }),
        "count: expected 1 to 40 (nodes times stalk dimension) eigenvectors, got " + std::to_string(count));
  }
  EXPECT_THROW(leading_eigenvectors(sheaf, {.count = 1, .tolerance = 0}), UsageError);
}

TEST(LeadingEigenvectors, SayWhenTheyGiveUp) {
  const DirectedSheaf sheaf = trivial(drawn(kIterated, 1), 0.25);
  const std::string message =
      message_of<Failure>([&] { leading_eigenvectors(sheaf, {.count = 4, .max_restarts = 1}); });
  EXPECT_EQ(message.find("eigenvectors: after 1 restarts the worst of 4 has residual "), 0U) << message;
}

TEST(LeadingEigenvectors, AreTheSameBitsForAnyNumberOfThreads) {
  const int before = at::get_num_threads();
  for (const Index nodes : {300, 5000}) {
    const DirectedSheaf sheaf = trivial(drawn(nodes, 0.7, nodes / 2), 0.25);
    at::Tensor one;
    for (const int threads : {1, 2, 3, 7}) {
      const WithThreads with(threads);
      at::set_num_threads(threads);
      const at::Tensor vectors = leading_eigenvectors(sheaf, {.count = 4}).vectors;
      if (!one.defined()) one = vectors;
      EXPECT_TRUE(at::equal(vectors, one)) << nodes << " nodes, " << threads << " threads";
    }
  }
  at::set_num_threads(before);
}

}  // namespace
}  // namespace dshn::test
