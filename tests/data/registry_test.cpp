#include "dshn/data/registry.hpp"

#include <gmock/gmock.h>

#include <set>

namespace dshn::data {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::vector<std::string_view> kPaperNodeSets = {
    "roman-empire", "squirrel", "email-eu",       "telegram",       "chameleon",
    "email-enron",  "cornell",  "wisconsin",      "texas",          "amazon-ratings",
    "citeseer",     "cora",     "synthetic-io10", "synthetic-io30", "synthetic-io50"};

TEST(Registry, HoldsThePapersNodeSetsWithStatistics) {
  for (const auto name : kPaperNodeSets) {
    const Entry* entry = find_entry(name);
    ASSERT_NE(entry, nullptr) << name;
    EXPECT_EQ(entry->task, Task::node_classification) << name;
    EXPECT_TRUE(entry->paper && entry->paper->ce_homophily) << name;
  }
}

TEST(Registry, HoldsTheReactionSets) {
  for (const auto name : {"uspto-50k", "molecular-2"}) {
    const Entry* entry = find_entry(name);
    ASSERT_NE(entry, nullptr) << name;
    EXPECT_EQ(entry->task, Task::hyperedge_classification);
    EXPECT_EQ(entry->metric, Metric::f1);
  }
  EXPECT_EQ(find_entry("uspto-50k")->paper->nodes, 100523);
  EXPECT_EQ(find_entry("molecular-2")->source.availability, Availability::unavailable);
}

TEST(Registry, KnowsWhichThirteenSetsEqualThePaper) {
  std::set<std::string_view> equal;
  for (const Entry& entry : registry()) {
    if (entry.matches_paper) equal.insert(entry.name);
  }
  std::set<std::string_view> expected(kPaperNodeSets.begin(), kPaperNodeSets.end());
  expected.erase("roman-empire");
  expected.erase("amazon-ratings");
  EXPECT_EQ(equal, expected);
  EXPECT_THAT(equal, SizeIs(13));
}

TEST(Registry, SaysWhereEverySetCanBeHad) {
  std::set<std::string_view> names;
  for (const Entry& entry : registry()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name << " is there twice";
    const Source& source = entry.source;
    const bool generated = entry.name.starts_with("synthetic-generated");
    EXPECT_EQ(source.availability == Availability::generated, generated) << entry.name;
    if (source.availability == Availability::download) {
      EXPECT_FALSE(source.files.empty()) << entry.name;
    } else {
      EXPECT_FALSE(source.remark.empty()) << entry.name;
    }
    for (const SourceFile& file : source.files) {
      EXPECT_GT(file.bytes, 0);
      EXPECT_THAT(std::string(file.sha256), ::testing::MatchesRegex("[0-9a-f]+"));
      EXPECT_EQ(file.sha256.size(), 64U);
      EXPECT_FALSE(file.file_name().empty());
      EXPECT_EQ(file.file_name().find('/'), std::string_view::npos);
    }
  }
}

TEST(NearestName, ForgivesTypos) {
  EXPECT_EQ(nearest_name("corra"), "cora");
  EXPECT_EQ(nearest_name("Cora"), "cora");
  EXPECT_EQ(nearest_name("chamelon"), "chameleon");
  EXPECT_EQ(nearest_name("roman_empire"), "roman-empire");
  EXPECT_EQ(nearest_name("synthetic-io20"), "synthetic-io10");
  EXPECT_EQ(nearest_name("imagenet"), "");
  EXPECT_EQ(nearest_name(""), "");
}

}  // namespace
}  // namespace dshn::data
