#include "support/real_data.hpp"

#include <gmock/gmock.h>

#include "dshn/data/features.hpp"
#include "dshn/data/measure.hpp"
#include "dshn/data/open.hpp"
#include "dshn/data/splits.hpp"

namespace dshn::data {
namespace {

/// Every built-in set that the folder of real data sets is expected to hold.
class RealDataTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { DSHN_NEEDS_REAL_DATA(GetParam()); }
};

void expect_near(std::optional<double> measured, std::optional<double> expected) {
  ASSERT_EQ(measured.has_value(), expected.has_value());
  if (measured) {
    EXPECT_NEAR(*measured, *expected, 5.1e-7);
  }
}

TEST_P(RealDataTest, HasTheExpectedStatistics) {
  const Entry* entry = find_entry(GetParam());
  ASSERT_NE(entry, nullptr);

  const Dataset dataset = open(GetParam());
  const StatisticsRow row = measure(dataset);

  EXPECT_EQ(dataset.name, GetParam());
  EXPECT_THAT(dataset.warnings, ::testing::IsEmpty());
  EXPECT_EQ(row.nodes, entry->expected->nodes);
  EXPECT_EQ(row.features, entry->expected->features);
  EXPECT_EQ(row.hyperedges, entry->expected->hyperedges);
  EXPECT_EQ(row.classes, entry->expected->classes);
  expect_near(row.avg_hyperedge_size, entry->expected->avg_hyperedge_size);
  expect_near(row.avg_node_degree, entry->expected->avg_node_degree);
  expect_near(row.ce_homophily, entry->expected->ce_homophily);
  EXPECT_EQ(agree(row, *entry->paper), entry->matches_paper);
}

TEST_P(RealDataTest, CanBeSplitAndFeaturisedByDefault) {
  const Dataset dataset = open(GetParam());
  const SplitSet set = make_splits(dataset, default_splits(dataset));
  const Features features = choose_features(dataset, default_features(dataset));

  EXPECT_EQ(set.splits.size(), 10U);
  EXPECT_GE(features.cols(), 1);
  EXPECT_EQ(features.rows(), dataset.hypergraph.node_count());
}

INSTANTIATE_TEST_SUITE_P(Sets, RealDataTest,
                         ::testing::Values("cora", "citeseer", "email-enron", "email-eu", "telegram", "texas",
                                           "wisconsin", "cornell", "chameleon", "squirrel",
                                           "chameleon-directed", "squirrel-directed", "synthetic-io10",
                                           "synthetic-io30", "synthetic-io50", "uspto-10k", "uspto-50k"),
                         [](const auto& named) {
                           std::string name = named.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace dshn::data
