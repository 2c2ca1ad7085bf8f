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

std::optional<Score> score(std::string_view data, std::string_view model) {
  const Entry* entry = find_entry(data);
  if (entry == nullptr) return {};
  for (const PaperResult& result : entry->results) {
    if (result.model == model) return result.score;
  }
  ADD_FAILURE() << "no row " << model << " for " << data;
  return {};
}

TEST(Registry, HoldsThePapersNodeSetsWithStatisticsAndFifteenResults) {
  for (const auto name : kPaperNodeSets) {
    const Entry* entry = find_entry(name);
    ASSERT_NE(entry, nullptr) << name;
    EXPECT_EQ(entry->task, Task::node_classification) << name;
    EXPECT_TRUE(entry->paper && entry->paper->ce_homophily) << name;
    EXPECT_THAT(entry->results, SizeIs(15)) << name;
  }
}

TEST(Registry, HoldsTheReactionSets) {
  for (const auto name : {"uspto-50k", "molecular-2"}) {
    const Entry* entry = find_entry(name);
    ASSERT_NE(entry, nullptr) << name;
    EXPECT_EQ(entry->task, Task::hyperedge_classification);
    EXPECT_EQ(entry->metric, Metric::f1);
    EXPECT_THAT(entry->results, SizeIs(14)) << "the paper has no DHGNN with embeddings here";
  }
  EXPECT_EQ(find_entry("uspto-50k")->paper->nodes, 100523);
  EXPECT_EQ(find_entry("molecular-2")->source.availability, Availability::unavailable);
}

TEST(Registry, GivesNoPaperResultsToVariants) {
  for (const auto name :
       {"chameleon-directed", "squirrel-directed", "uspto-10k", "synthetic-generated-io10"}) {
    ASSERT_NE(find_entry(name), nullptr) << name;
    EXPECT_THAT(find_entry(name)->results, IsEmpty()) << name;
  }
}

TEST(Registry, QuotesThePapersFigures) {
  EXPECT_EQ(score("telegram", "DSHN")->mean, 88.65);
  EXPECT_EQ(score("telegram", "DSHN")->std, 5.54);
  EXPECT_EQ(score("cora", "PhenomNN")->mean, 88.12);
  EXPECT_EQ(score("amazon-ratings", "DHGNN (w/ emb.)")->mean, 53.64);
  EXPECT_EQ(score("synthetic-io50", "DSHNLight")->mean, 99.04);
  EXPECT_EQ(score("molecular-2", "DSHN")->mean, 89.09);
  EXPECT_EQ(score("uspto-50k", "DSHNLight")->std, 0.56);
}

TEST(Registry, MarksWhatRanOutOfMemory) {
  std::set<std::pair<std::string_view, std::string_view>> without;
  for (const Entry& entry : registry()) {
    for (const PaperResult& result : entry.results) {
      if (!result.score) without.insert({entry.name, result.model});
    }
  }
  EXPECT_EQ(without, (std::set<std::pair<std::string_view, std::string_view>>{{"roman-empire", "DSHN"},
                                                                              {"amazon-ratings", "DSHN"},
                                                                              {"uspto-50k", "LEGCN"},
                                                                              {"uspto-50k", "DHGNN"},
                                                                              {"uspto-50k", "DSHN"}}));
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
