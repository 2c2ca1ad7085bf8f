#include "dshn/hypergraph/sample.hpp"

#include <gmock/gmock.h>

#include <set>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "hypergraph/support.hpp"
#include "support/message_of.hpp"

namespace dshn::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Hypergraph mixed_hypergraph(std::uint64_t seed, bool weighted = false) {
  RandomOptions options;
  options.nodes = 60;
  options.hyperedges = 50;
  options.mean_size = 7;
  options.directed_share = 0.6;
  options.seed = seed;
  const Hypergraph h = random_hypergraph(options);
  if (!weighted) return h;
  std::vector<Index> edge;
  std::vector<Role> role;
  std::vector<double> weight;
  for (Index e = 0; e < h.edge_count(); ++e) {
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
      edge.push_back(e);
      role.push_back(h.role(e, i));
      weight.push_back(0.5 + static_cast<double>(i % 4));
    }
  }
  return {h.node_count(), h.edge_count(), {edge, h.member_nodes(), role, weight}};
}

/// What the sample says of the incidences at each node, in how many hyperedges it is.
std::vector<double> degrees_in(const Sample& sample) {
  std::vector<double> degrees(sample.nodes.size(), 0.0);
  for (std::size_t i = 0; i < sample.incidences.size(); ++i)
    degrees[sample.hypergraph.member_nodes()[i]] += sample.node_counts[i];
  return degrees;
}

TEST(Sample, CountsAddUpToWhatTheWholeHas) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Hypergraph whole = mixed_hypergraph(seed);
    Sampler sampler(whole);
    const std::vector<Index> nodes{3, 41, 17};
    const std::vector<Fanout> hops{{3, 2, 1}, {2, 1, 2}};
    const Sample sample = sampler.around_nodes(nodes, hops, seed);

    const std::vector<double> degrees = degrees_in(sample);
    for (std::size_t v = 0; v < sample.nodes.size(); ++v)
      EXPECT_NEAR(degrees[v], static_cast<double>(whole.degree(sample.nodes[v])), 1e-9);
    const Hypergraph& h = sample.hypergraph;
    for (Index e = 0; e < h.edge_count(); ++e) {
      double tails = 0;
      double heads = 0;
      for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i)
        (h.role(e, i) == Role::tail ? tails : heads) += h.incidence_weight(i);
      EXPECT_NEAR(tails, static_cast<double>(whole.tail(sample.edges[e]).size()), 1e-9);
      EXPECT_NEAR(heads, static_cast<double>(whole.head(sample.edges[e]).size()), 1e-9);
    }
  }
}

TEST(Sample, HoldsIncidencesOfTheWholeInItsOrder) {
  const Hypergraph whole = mixed_hypergraph(5);
  Sampler sampler(whole);
  const Sample sample = sampler.around_nodes(std::vector<Index>{30, 2}, std::vector<Fanout>{{2, 2, 2}}, 1);
  const Hypergraph& h = sample.hypergraph;

  EXPECT_EQ(sample.nodes[sample.items[0]], 30);
  EXPECT_EQ(sample.nodes[sample.items[1]], 2);
  ASSERT_EQ(static_cast<std::size_t>(h.incidence_count()), sample.incidences.size());
  EXPECT_TRUE(std::is_sorted(sample.incidences.begin(), sample.incidences.end()));
  for (Index e = 0; e < h.edge_count(); ++e) {
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
      const Offset there = sample.incidences[i];
      EXPECT_EQ(whole.member_nodes()[there], sample.nodes[h.member_nodes()[i]]);
      EXPECT_EQ(whole.role(sample.edges[e], there), h.role(e, i));
    }
  }
}

TEST(Sample, DrawsNoMoreThanItWasAskedFor) {
  const Hypergraph whole = mixed_hypergraph(7);
  Sampler sampler(whole);
  const Sample sample = sampler.around_nodes(std::vector<Index>{9}, std::vector<Fanout>{{2, 1, 3}}, 4);

  const Hypergraph& h = sample.hypergraph;
  EXPECT_EQ(h.degree(sample.items[0]), 2);
  for (const Index e : h.edges_of(sample.items[0])) {
    const auto at_most = [&](std::span<const Index> members, std::size_t drawn) {
      const bool asked = std::ranges::find(members, sample.items[0]) != members.end();
      EXPECT_LE(members.size(), drawn + (asked ? 1 : 0));
    };
    at_most(h.tail(e), 1);
    at_most(h.head(e), 3);
  }
}

TEST(Sample, OfAllIsTheNeighbourhoodItself) {
  const Hypergraph whole = hypergraph_of(6, {{{0, 1}, {2}}, {{2, 3}}, {{4}, {3}}, {{5}}});
  Sampler sampler(whole);

  const Sample one = sampler.around_nodes(std::vector<Index>{1}, std::vector<Fanout>{{}}, 0);
  EXPECT_THAT(one.nodes, ElementsAre(0, 1, 2));
  EXPECT_THAT(one.edges, ElementsAre(0));
  EXPECT_THAT(one.items, ElementsAre(1));
  EXPECT_THAT(one.node_counts, ElementsAre(1, 1, 2)) << "node 2 is in another hyperedge too";
  EXPECT_EQ(one.hypergraph, hypergraph_of(3, {{{0, 1}, {2}}}));

  const Sample two = sampler.around_nodes(std::vector<Index>{1}, std::vector<Fanout>{{}, {}}, 0);
  EXPECT_THAT(two.nodes, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(two.edges, ElementsAre(0, 1));
  EXPECT_THAT(sampler.around_nodes(std::vector<Index>{4, 5}, {}, 0).loops, ElementsAre(4, -1));
}

TEST(Sample, OfHyperedgesBeginsWithTheirMembers) {
  const Hypergraph whole = hypergraph_of(6, {{{0, 1}, {2}}, {{2, 3}}, {{4}, {3}}, {{5}}});
  Sampler sampler(whole);
  const Sample sample = sampler.around_edges(std::vector<Index>{2}, std::vector<Fanout>{{}}, 0);

  EXPECT_THAT(sample.edges, ElementsAre(1, 2));
  EXPECT_THAT(sample.items, ElementsAre(1));
  EXPECT_THAT(sample.nodes, ElementsAre(2, 3, 4));
}

TEST(Sample, HasTheSingletonsOfItsNodes) {
  const Hypergraph whole = hypergraph_of(3, {{{0, 1, 2}}, {{1}}, {{1, 2}}, {{2}}});
  Sampler sampler(whole);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Sample sample = sampler.around_nodes(std::vector<Index>{0}, std::vector<Fanout>{{1, 1, 1}}, seed);
    ASSERT_EQ(sample.nodes.size(), 2U);
    EXPECT_THAT(sample.edges, ElementsAre(0, sample.nodes[1] == 1 ? 1 : 3));
    EXPECT_THAT(sample.loops, ElementsAre(0, -1));
  }
}

TEST(Sample, AmongNodesKeepsAllTheirIncidences) {
  const Hypergraph whole = hypergraph_of(5, {{{0, 1, 2}, {3}}, {{3, 4}}, {{0}, {4}}});
  Sampler sampler(whole);
  const Sample sample = sampler.among_nodes(std::vector<Index>{3, 0, 1});

  EXPECT_THAT(sample.nodes, ElementsAre(0, 1, 3));
  EXPECT_THAT(sample.edges, ElementsAre(0, 1, 2));
  EXPECT_THAT(sample.items, ElementsAre(2, 0, 1));
  EXPECT_THAT(sample.node_counts, ElementsAre(1, 1, 1, 1, 1));
  // Two of three tails stand for all, and one of the members 3 and 4 for both.
  EXPECT_THAT(sample.hypergraph.incidence_weights(), ElementsAre(1.5, 1.5, 1, 2, 1));
}

TEST(Sample, IsTheSameForTheSameSeed) {
  const Hypergraph whole = mixed_hypergraph(3);
  Sampler first(whole);
  Sampler second(whole);
  const std::vector<Index> nodes{1, 50};
  const std::vector<Fanout> hops{{2, 2, 2}};
  const Sample a = first.around_nodes(nodes, hops, 8);
  static_cast<void>(second.around_edges(std::vector<Index>{4}, hops, 3));
  const Sample b = second.around_nodes(nodes, hops, 8);
  const Sample other = second.around_nodes(nodes, hops, 9);

  EXPECT_EQ(a.hypergraph, b.hypergraph);
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.node_counts, b.node_counts);
  EXPECT_NE(a.incidences, other.incidences);
}

/// The mean over many samples of a sum over the hyperedges of a node, of sums over their members of a number of each.
double mean_of_two_steps(const Hypergraph& whole, Index node, const std::vector<double>& x, int samples) {
  Sampler sampler(whole);
  double mean = 0;
  for (int s = 0; s < samples; ++s) {
    const Sample sample = sampler.around_nodes(std::vector<Index>{node}, std::vector<Fanout>{{2, 1, 2}},
                                               static_cast<std::uint64_t>(s));
    const Hypergraph& h = sample.hypergraph;
    for (Index e = 0; e < h.edge_count(); ++e) {
      double sum = 0;
      double times = 0;
      for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
        sum += h.incidence_weight(i) * x[sample.nodes[h.member_nodes()[i]]];
        if (h.member_nodes()[i] == sample.items[0]) times = sample.node_counts[i];
      }
      mean += times * sum / samples;
    }
  }
  return mean;
}

TEST(Sample, SumsOverTwoStepsAreRightInTheMean) {
  for (const bool weighted : {false, true}) {
    const Hypergraph whole = mixed_hypergraph(2, weighted);
    std::vector<double> x;
    for (Index v = 0; v < whole.node_count(); ++v) x.push_back(1 + 0.1 * (v % 13));
    for (const Index node : {4, 20}) {
      double exact = 0;
      for (Offset p = whole.node_ptr()[node]; p < whole.node_ptr()[node + 1]; ++p) {
        const Index e = whole.node_edges()[p];
        double sum = 0;
        for (Offset i = whole.edge_ptr()[e]; i < whole.edge_ptr()[e + 1]; ++i)
          sum += whole.incidence_weight(i) * x[whole.member_nodes()[i]];
        exact += whole.incidence_weight(whole.node_incidences()[p]) * sum;
      }
      ASSERT_GT(whole.degree(node), 2);
      const double mean = mean_of_two_steps(whole, node, x, 6000);
      EXPECT_NEAR(mean / exact, 1, 0.03);
    }
  }
}

TEST(Sample, RefusesItemsThatAreNotThere) {
  const Hypergraph whole = mixed_hypergraph(1);
  Sampler sampler(whole);
  const std::vector<Fanout> hops{{}};
  EXPECT_THAT(message_of<UsageError>([&] { sampler.around_nodes(std::vector<Index>{60}, hops, 0); }),
              HasSubstr("node 60 is out of range; there are 60"));
  EXPECT_THAT(message_of<UsageError>([&] {
                sampler.around_edges(std::vector<Index>{1, 1}, hops, 0);
              }),
              HasSubstr("hyperedge 1 is named twice"));
  // and is as good as new
  EXPECT_EQ(sampler.around_edges(std::vector<Index>{1}, hops, 0).items.size(), 1U);
}

}  // namespace
}  // namespace dshn::test
