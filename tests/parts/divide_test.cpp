#include "dshn/parts/divide.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/parts/cut.hpp"
#include "parts/metis.hpp"
#include "support/message_of.hpp"

namespace dshn::parts {
namespace {

using dshn::test::message_of;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::Lt;
using ::testing::SizeIs;

Hypergraph random_one(std::uint64_t seed, DegreeLaw degrees = DegreeLaw::uniform) {
  RandomOptions options;
  options.nodes = 300;
  options.hyperedges = 200;
  options.size_law = SizeLaw::poisson;
  options.mean_size = 4;
  options.degree_law = degrees;
  options.seed = seed;
  return random_hypergraph(options);
}

/// Hyperedges of 4 members of one of 4 clusters, one member in 20 from anywhere. Node v is of cluster v % 4.
Hypergraph clusters() {
  constexpr Index kClusters = 4;
  constexpr Index kOfEach = 500;
  Random random(7);
  std::vector<Index> edge;
  std::vector<Index> node;
  for (Index e = 0; e < 2000; ++e) {
    const std::vector<Index> places = random.sample(kOfEach, 4);
    for (const Index place : places) {
      const auto cluster = random.below(20) == 0 ? random.below(kClusters) : e % kClusters;
      edge.push_back(e);
      node.push_back(place * kClusters + static_cast<Index>(cluster));
    }
  }
  return {kClusters * kOfEach, 2000, {edge, node, {}}};
}

/// Up to 100 nodes, of which the first are in most hyperedges.
Hypergraph top_heavy(std::uint64_t seed) {
  Random random(seed);
  const auto nodes = static_cast<Index>(2 + random.below(100));
  std::vector<Index> edge;
  std::vector<Index> node;
  for (Index incidence = 0; incidence < 600; ++incidence) {
    edge.push_back(incidence / 3);
    node.push_back(static_cast<Index>(std::pow(random.uniform(), 6) * nodes));
  }
  return {nodes, 200, {edge, node, {}}, OnConflict::keep_tail};
}

/// Those that this build has.
std::vector<Method> methods() {
  if (has_metis()) return {Method::metis, Method::block, Method::random};
  return {Method::block, Method::random};
}

/// Every incidence and every pair of parts is looked at: the definition, and slow.
Cut by_definition(const Hypergraph& h, const Partition& partition) {
  Cut cut;
  std::vector<std::int64_t> incidences(static_cast<std::size_t>(partition.parts), 0);
  for (Index e = 0; e < h.edge_count(); ++e) {
    std::set<std::int32_t> touched;
    for (const Index v : h.members(e)) {
      touched.insert(partition.part_of_node[v]);
      ++incidences[partition.part_of_node[v]];
    }
    if (touched.size() < 2) continue;
    cut.traffic += static_cast<std::int64_t>(touched.size()) - 1;
    ++cut.shared_edges;
  }
  const double mean = static_cast<double>(h.incidence_count()) / partition.parts;
  if (mean > 0) cut.imbalance = static_cast<double>(*std::ranges::max_element(incidences)) / mean - 1;
  return cut;
}

TEST(Methods, HaveNames) {
  EXPECT_THAT(method_names(), ElementsAre("metis", "block", "random"));
  for (const std::string& name : method_names()) EXPECT_EQ(method_name(method(name)), name);
  EXPECT_THAT(message_of<UsageError>([] { method("blocks"); }),
              AllOf(HasSubstr("\"blocks\""), HasSubstr("metis, block, random")));
  EXPECT_EQ(best_method(), has_metis() ? Method::metis : Method::block);
}

TEST(Divide, PutsEveryNodeIntoAPart) {
  for (const DegreeLaw law : {DegreeLaw::uniform, DegreeLaw::power_law}) {
    const Hypergraph h = random_one(1, law);
    for (const Method method : methods()) {
      for (const int parts : {1, 2, 3, 4, 7, 16, 100, 300, 1000}) {
        const Partition partition = divide(h, parts, method, 5);
        EXPECT_EQ(partition.parts, parts);
        EXPECT_THAT(partition.part_of_node, SizeIs(300));
        EXPECT_THAT(partition.part_of_node, Each(AllOf(Ge(0), Lt(parts))));
        EXPECT_NO_THROW(measure(h, partition));
      }
    }
  }
}

TEST(Divide, GivesTheSamePartsForTheSameSeed) {
  const Hypergraph h = clusters();
  for (const Method method : methods()) {
    const Partition first = divide(h, 4, method, 3);
    divide(h, 3, method, 8);  // what was drawn for another must not matter
    EXPECT_EQ(divide(h, 4, method, 3), first);
  }
  EXPECT_NE(divide(h, 4, Method::random, 3), divide(h, 4, Method::random, 4));
}

TEST(Divide, MakesEvenParts) {
  const Hypergraph h = clusters();
  for (const Method method : methods()) {
    for (const int parts : {2, 4, 7})
      EXPECT_LT(measure(h, divide(h, parts, method, 1)).imbalance, 0.1) << method_name(method) << parts;
  }
}

TEST(Divide, FindsClusters) {
  if (!has_metis()) GTEST_SKIP() << "this build has no METIS";
  const Hypergraph h = clusters();
  const Cut cut = measure(h, divide(h, 4, Method::metis, 1));
  EXPECT_LE(2 * cut.traffic, measure(h, divide(h, 4, Method::random, 1)).traffic);
}

TEST(Divide, HasNoMoreTrafficThanBlocksWhereTheseAreEven) {
  if (!has_metis()) GTEST_SKIP() << "this build has no METIS";
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Hypergraph h = random_one(seed, DegreeLaw::power_law);
    for (const int parts : {2, 5, 9}) {
      const Cut block = measure(h, divide(h, parts, Method::block, 0));
      const Cut cut = measure(h, divide(h, parts, Method::metis, seed));
      if (block.imbalance <= cut.imbalance) {
        EXPECT_LE(cut.traffic, block.traffic);
      }
    }
  }
}

TEST(Divide, WritesNothingWhereNodesAreFewOrHeavy) {
  ::testing::internal::CaptureStdout();
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Hypergraph h = top_heavy(seed);
    for (int parts = 1; parts <= h.node_count() + 1; parts += 1 + parts / 3)
      divide(h, parts, best_method(), seed);
  }
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

TEST(Divide, CopesWithEmptyAndIsolated) {
  const Hypergraph none;
  const Hypergraph lonely(50, 3, {{}, {}, {}});
  const std::vector<Index> edge{0, 1, 1};
  const std::vector<Index> node{3, 3, 40};
  const Hypergraph few(50, 2, {edge, node, {}});
  const std::vector<Index> loop{7};
  const Hypergraph looped(50, 1, {std::vector<Index>{0}, loop, {}});
  for (const Method method : methods()) {
    for (const int parts : {1, 2, 4, 60}) {
      EXPECT_THAT(divide(none, parts, method, 1).part_of_node, IsEmpty());
      for (const Hypergraph* const h : {&lonely, &few, &looped}) {
        const Partition partition = divide(*h, parts, method, 1);
        EXPECT_THAT(partition.part_of_node, SizeIs(50));
        EXPECT_EQ(measure(*h, partition), by_definition(*h, partition));
      }
    }
    std::vector<int> nodes(4, 0);
    for (const std::int32_t part : divide(lonely, 4, method, 1).part_of_node) ++nodes[part];
    EXPECT_THAT(nodes, Each(AllOf(Ge(12), Le(13))));
  }
}

TEST(Divide, KeepsConsecutiveNodesTogetherInBlocks) {
  for (const int parts : {1, 4, 9, 400}) {
    const Partition partition = divide(random_one(2), parts, Method::block, 0);
    EXPECT_TRUE(std::ranges::is_sorted(partition.part_of_node));
  }
}

TEST(Divide, MakesBlocksOfEqualIncidences) {
  // Node 0 is in four hyperedges, the others in one each.
  const std::vector<Index> edge{0, 1, 2, 3, 0, 1, 2, 3};
  const std::vector<Index> node{0, 0, 0, 0, 1, 2, 3, 4};
  const Hypergraph h(5, 4, {edge, node, {}});
  EXPECT_THAT(divide(h, 2, Method::block, 0).part_of_node, ElementsAre(0, 1, 1, 1, 1));
}

TEST(Divide, RefusesWhatItCannotDo) {
  EXPECT_THAT(message_of<UsageError>([] { divide(clusters(), 0, Method::block, 0); }), HasSubstr("0 parts"));
  if (has_metis()) {
    EXPECT_NO_THROW(check_fits_metis(1'000'000, 1'000'000, 100'000'000));
    const auto check = [] { check_fits_metis(2'000'000'000, 2'000'000'000, Offset{1} << 62); };
    EXPECT_THAT(message_of<UsageError>(check), AllOf(HasSubstr("too many"), HasSubstr("block")));
  } else {
    EXPECT_THAT(message_of<UsageError>([] { divide(clusters(), 2, Method::metis, 0); }),
                AllOf(HasSubstr("no METIS"), HasSubstr("block")));
  }
}

TEST(Measure, IsAsCountedByHand) {
  // Hyperedges {0, 1}, {1, 2, 3}, {3}, {} and {0, 2, 4}.
  const std::vector<Index> edge{0, 0, 1, 1, 1, 2, 4, 4, 4};
  const std::vector<Index> node{0, 1, 1, 2, 3, 3, 0, 2, 4};
  const Hypergraph h(5, 5, {edge, node, {}});
  const Cut cut = measure(h, {3, {0, 0, 1, 1, 2}});
  EXPECT_EQ(cut.traffic, 0 + 1 + 0 + 0 + 2);
  EXPECT_EQ(cut.shared_edges, 2);
  EXPECT_DOUBLE_EQ(cut.imbalance, 4.0 / 3 - 1);  // 4, 4 and 1 incidences
  EXPECT_EQ(measure(h, {1, {0, 0, 0, 0, 0}}), Cut());
  EXPECT_EQ(measure(Hypergraph(), {3, {}}), Cut());
}

TEST(Measure, IsTheDefinition) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Hypergraph h = random_one(seed, seed % 2 == 0 ? DegreeLaw::uniform : DegreeLaw::power_law);
    const Partition partition = divide(h, 1 + static_cast<int>(seed % 6), Method::random, seed);
    const Cut cut = measure(h, partition);
    const Cut expected = by_definition(h, partition);
    EXPECT_EQ(cut.traffic, expected.traffic);
    EXPECT_EQ(cut.shared_edges, expected.shared_edges);
    EXPECT_NEAR(cut.imbalance, expected.imbalance, 1e-12);
  }
}

TEST(Measure, IsWhatThePartsOfACutSend) {
  data::Dataset dataset;
  dataset.hypergraph = random_one(4);
  const Partition partition = divide(dataset.hypergraph, 5, Method::random, 1);
  std::int64_t sent = 0;
  for (const Part& part : cut(dataset, partition))
    for (const auto& list : part.plan.to_owner) sent += static_cast<std::int64_t>(list.size());
  EXPECT_EQ(sent, measure(dataset.hypergraph, partition).traffic);
}

TEST(Measure, RefusesAPartitionThatDoesNotFit) {
  const Hypergraph h(2, 0, {{}, {}, {}});
  EXPECT_THAT(message_of<UsageError>([&] { measure(h, {1, {0}}); }), HasSubstr("1 nodes"));
  EXPECT_THAT(message_of<UsageError>([&] { measure(h, {1, {0, 1}}); }), HasSubstr("node 1 is in part 1"));
}

}  // namespace
}  // namespace dshn::parts
