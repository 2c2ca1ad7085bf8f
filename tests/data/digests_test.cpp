#include "dshn/data/digests.hpp"

#include <gtest/gtest.h>

#include "dshn/hypergraph/builder.hpp"

namespace dshn::data {
namespace {

Hypergraph arc(const char* tail, const char* head, double weight = 1) {
  HypergraphBuilder builder;
  builder.incidence(Name::string("e"), Name::string(tail), Role::tail);
  builder.incidence(Name::string("e"), Name::string(head), Role::head);
  builder.weight(builder.edge(Name::string("e")), weight);
  return builder.build();
}

Dataset one_arc() {
  Dataset dataset;
  dataset.hypergraph = arc("a", "b");
  dataset.node_features = Features(2, 2, {1, 0, 0, 1});
  dataset.labels = {0, 1};
  dataset.class_count = 2;
  return dataset;
}

TEST(Digests, TellWhichPartOfADataSetHasChanged) {
  const DataDigests before = digests_of(one_arc());
  const auto after = [](auto&& change) {
    Dataset dataset = one_arc();
    change(dataset);
    return digests_of(dataset);
  };

  for (const Hypergraph& other : {arc("b", "a"), arc("a", "c"), arc("a", "b", 2)}) {
    const DataDigests digests = after([&](Dataset& d) { d.hypergraph = other; });
    EXPECT_NE(digests.hypergraph, before.hypergraph);
    EXPECT_EQ(digests.features, before.features);
    EXPECT_EQ(digests.labels, before.labels);
  }
  HypergraphBuilder weighed;
  weighed.incidence(Name::string("e"), Name::string("a"), Role::tail);
  weighed.incidence(Name::string("e"), Name::string("b"), Role::head);
  weighed.incidence_weight(2);
  const Hypergraph other = weighed.build();
  EXPECT_NE(after([&](Dataset& d) { d.hypergraph = other; }).hypergraph, before.hypergraph);
  EXPECT_NE(after([](Dataset& d) {
              d.node_features = Features(2, 2, {1, 0, 1, 0});
            }).features,
            before.features);
  EXPECT_NE(after([](Dataset& d) { d.edge_features = Features(1, 1, {0}); }).features, before.features);
  EXPECT_NE(after([](Dataset& d) { d.labels = {1, 0}; }).labels, before.labels);
  EXPECT_NE(after([](Dataset& d) { d.code.class_names = {"no", "yes"}; }).labels, before.labels);
  EXPECT_NE(after([](Dataset& d) { d.task = Task::hyperedge_classification; }).labels, before.labels);
}

TEST(Digests, DoNotDependOnHowFeaturesAreStored) {
  Dataset by_entries = one_arc();
  by_entries.node_features = Features(2, 2, Features::Entries{{0, 1, 2}, {0, 1}, {}});
  EXPECT_EQ(digests_of(by_entries), digests_of(one_arc()));
}

TEST(Digests, TellSplitsApart) {
  EXPECT_NE(digest_of({{0}, {1}, {2}}), digest_of({{0}, {2}, {1}}));
  EXPECT_NE(digest_of({{0, 1}, {}, {2}}), digest_of({{0}, {1}, {2}}));
  EXPECT_EQ(digest_of({{0}, {1}, {2}}), digest_of({{0}, {1}, {2}}));
}

}  // namespace
}  // namespace dshn::data
