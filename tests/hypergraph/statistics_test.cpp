#include "dshn/hypergraph/statistics.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "dshn/hypergraph/generators.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "hypergraph/any_hypergraph.hpp"
#include "hypergraph/support.hpp"

namespace dshn::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// {0, 1} -> {2}; {2, 3}; {}; {1} -> {0}. Node 4 is isolated.
Hypergraph weighted_example() {
  return hypergraph_of(5, {{{0, 1}, {2}}, {{2, 3}}, {{}}, {{1}, {0}}});
}

TEST(Statistics, OfASmallCase) {
  const Statistics s = statistics(weighted_example());

  EXPECT_EQ(s.n_nodes, 5);
  EXPECT_EQ(s.n_hyperedges, 4);
  EXPECT_EQ(s.n_incidences, 7);
  EXPECT_DOUBLE_EQ(s.avg_hyperedge_size, 7.0 / 4);
  EXPECT_DOUBLE_EQ(s.avg_node_degree, 7.0 / 5);
  EXPECT_EQ(s.max_hyperedge_size, 3);
  EXPECT_EQ(s.max_node_degree, 2);
  EXPECT_EQ(s.n_isolated_nodes, 1);
  EXPECT_EQ(s.n_tail_incidences, 5);
  EXPECT_EQ(s.n_head_incidences, 2);
  EXPECT_EQ(s.n_directed_hyperedges, 2);
  EXPECT_DOUBLE_EQ(s.directed_share, 0.5);
  EXPECT_THAT(s.size_histogram, ElementsAre(1, 0, 2, 1));
  EXPECT_THAT(s.degree_histogram, ElementsAre(1, 1, 3));
}

TEST(Statistics, OfNothingAreZero) {
  const Statistics s = statistics(Hypergraph());

  EXPECT_EQ(s, Statistics());
  EXPECT_THAT(s.size_histogram, IsEmpty());
}

RC_GTEST_PROP(StatisticsProperty, DoNotDependOnTheNumbering, ()) {
  const Hypergraph h = any_hypergraph();

  RC_ASSERT(statistics(permuted(h, any_permutation(h.node_count()), any_permutation(h.edge_count()))) ==
            statistics(h));
}

RC_GTEST_PROP(StatisticsProperty, AddUp, ()) {
  const Hypergraph h = any_hypergraph();

  const Statistics s = statistics(h);

  Offset edges = 0;
  Offset members = 0;
  for (std::size_t size = 0; size < s.size_histogram.size(); ++size) {
    edges += s.size_histogram[size];
    members += s.size_histogram[size] * static_cast<Offset>(size);
  }
  RC_ASSERT(edges == s.n_hyperedges);
  RC_ASSERT(members == s.n_incidences);
  RC_ASSERT(s.n_tail_incidences + s.n_head_incidences == s.n_incidences);
}

double homophily(const Hypergraph& h, const std::vector<Index>& labels) {
  return ce_homophily(h, labels);
}

TEST(CeHomophily, OfASmallCase) {
  // Neighbours, itself included: 0: {0,1,2}, 1: {0,1,2}, 2: {0,1,2,3}, 3: {2,3}; 4 is isolated and counts 0.
  const double expected = (2.0 / 3 + 2.0 / 3 + 2.0 / 4 + 2.0 / 2 + 0) / 5;

  EXPECT_DOUBLE_EQ(homophily(weighted_example(), {0, 0, 1, 1, 1}), expected);
}

TEST(CeHomophily, CountsASingletonAsItsOwnNeighbour) {
  EXPECT_DOUBLE_EQ(homophily(hypergraph_of(2, {{{0}}}), {3, 3}), 0.5);
}

TEST(CeHomophily, CountsAPairOnceHoweverManyHyperedgesItShares) {
  EXPECT_DOUBLE_EQ(homophily(hypergraph_of(2, {{{0, 1}}, {{0}, {1}}, {{1, 0}}}), {0, 1}), 0.5);
}

TEST(CeHomophily, LeavesUnknownClassesOut) {
  // Without node 1: 0: {0,2} of which 1 is alike; 2: {0,2,3} of which 2; 3: {2,3}, both; 4 counts 0.
  EXPECT_DOUBLE_EQ(homophily(weighted_example(), {0, -1, 1, 1, 1}), (1.0 / 2 + 2.0 / 3 + 1 + 0) / 4);
  EXPECT_EQ(homophily(weighted_example(), {-1, -1, -1, -1, -1}), 0.0);
  EXPECT_EQ(homophily(Hypergraph(), {}), 0.0);
}

TEST(CeHomophily, RefusesTheWrongNumberOfLabels) {
  EXPECT_EQ(message_of<InvalidInput>([] {
              homophily(weighted_example(), {0, 1});
            }),
            "2 labels for 5 nodes; expected one label per node");
}

double obvious_homophily(const Hypergraph& h, const std::vector<Index>& labels) {
  double sum = 0;
  for (Index v = 0; v < h.node_count(); ++v) {
    std::set<Index> neighbours;
    for (const Index e : h.edges_of(v)) neighbours.insert(h.members(e).begin(), h.members(e).end());
    if (neighbours.empty()) continue;
    const auto alike =
        std::count_if(neighbours.begin(), neighbours.end(), [&](Index u) { return labels[u] == labels[v]; });
    sum += static_cast<double>(alike) / static_cast<double>(neighbours.size());
  }
  return sum / h.node_count();
}

RC_GTEST_PROP(CeHomophilyProperty, EqualsTheObviousSets, ()) {
  const Hypergraph h = any_hypergraph();
  const auto labels = *rc::gen::container<std::vector<Index>>(h.node_count(), rc::gen::inRange<Index>(0, 3));

  RC_ASSERT(std::abs(homophily(h, labels) - obvious_homophily(h, labels)) < 1e-12);
}

RC_GTEST_PROP(CeHomophilyProperty, ForgetsDirection, ()) {
  const Hypergraph h = any_hypergraph();
  const auto labels = *rc::gen::container<std::vector<Index>>(h.node_count(), rc::gen::inRange<Index>(0, 3));

  RC_ASSERT(homophily(h, labels) == homophily(without_direction(h), labels));
}

TEST(CeHomophily, HasTheSameBitsForAnyNumberOfThreads) {
  const Hypergraph h = random_hypergraph({.nodes = 3000, .hyperedges = 2000, .mean_size = 12, .seed = 5});
  std::vector<Index> labels(3000);
  for (Index v = 0; v < 3000; ++v) labels[v] = v % 7;
  const auto with_threads = [&](int threads) {
    const WithThreads scope(threads);
    return homophily(h, labels);
  };

  const double alone = with_threads(1);

  EXPECT_EQ(with_threads(2), alone);
  EXPECT_EQ(with_threads(7), alone);
  EXPECT_NEAR(alone, obvious_homophily(h, labels), 1e-12);
}

}  // namespace
}  // namespace dshn::test
