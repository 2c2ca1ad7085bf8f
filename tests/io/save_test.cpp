#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/builder.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/data_files.hpp"
#include "dshn/io/load.hpp"
#include "io/random_hypergraph.hpp"
#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using test::get_file;
using test::message_of;
using test::put_file;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Three nodes with a feature and a class each.
Loaded small() {
  HypergraphBuilder builder;
  builder.incidence(Name::integer(0), Name::integer(0), Role::tail);
  builder.incidence(Name::integer(0), Name::integer(1), Role::head);
  builder.node(Name::integer(2));
  return {.hypergraph = builder.build(),
          .arrays = {{kNodeFeatures, Array::of(std::vector<float>{1, 2, 3}, {3, 1})},
                     {kNodeLabels, Array::of(std::vector<std::int64_t>{0, 1, 0}, {3})}},
          .metadata = R"({"name":"small"})"};
}

std::string usage_error(const std::filesystem::path& path) {
  return message_of<UsageError>([&] { save(small(), path); }).value_or("");
}

TEST(Save, FolderHoldsEverything) {
  const TemporaryFolder folder;

  const auto left_out = save(small(), folder / "set");

  const Loaded loaded = load(folder / "set");
  EXPECT_THAT(left_out, IsEmpty());
  EXPECT_EQ(loaded.hypergraph, small().hypergraph);
  EXPECT_EQ(loaded.arrays, small().arrays);
  EXPECT_EQ(loaded.metadata, small().metadata);
}

TEST(Save, FolderWithoutArraysDropsThoseOfAnEarlierSet) {
  const TemporaryFolder folder;
  save(small(), folder / "set");

  save({.hypergraph = small().hypergraph}, folder / "set/");

  EXPECT_THAT(load(folder / "set").arrays, IsEmpty());
  EXPECT_EQ(test::file_count(folder), 1U);
}

TEST(Save, HifHoldsLabelsOnly) {
  const TemporaryFolder folder;

  const auto left_out = save(small(), folder / "a.hif.json.gz");

  const Loaded loaded = load(folder / "a.hif.json.gz");
  EXPECT_THAT(left_out, ElementsAre(HasSubstr("cannot hold x, which is left out")));
  EXPECT_EQ(loaded.hypergraph, small().hypergraph);
  EXPECT_EQ(loaded.metadata, small().metadata);
  EXPECT_EQ(loaded.arrays.at(kNodeLabels), small().arrays.at(kNodeLabels));
}

TEST(Save, HifTakesNoLabelsThatDoNotFit) {
  const TemporaryFolder folder;
  Loaded loaded = small();
  loaded.arrays = {{kNodeLabels, Array::of(std::vector<double>{0.5, 1, 0}, {3})}};

  EXPECT_THAT(save(loaded, folder / "a.json"), ElementsAre(HasSubstr("cannot hold y")));
}

TEST(Save, ListsHoldNeitherArraysNorMetadata) {
  const TemporaryFolder folder;

  const auto left_out = save(small(), folder / "a.csv");

  EXPECT_THAT(left_out, ElementsAre(HasSubstr("cannot hold x, y, metadata, which are left out")));
  EXPECT_EQ(load(folder / "a.csv").hypergraph, small().hypergraph);
}

TEST(Save, AnUnknownNameIsAUsageErrorThatListsTheKnownOnes) {
  const TemporaryFolder folder;
  for (const std::string name : {"a.xlsx", "a.gz", "a.npz", "a.edgelist"}) {
    EXPECT_THAT(usage_error(folder / name),
                AllOf(HasSubstr("no format has this name"), HasSubstr(".tsv, .csv")))
        << name;
  }
  EXPECT_NE(usage_error(""), "");
  EXPECT_EQ(test::file_count(folder), 0U);
}

TEST(Save, ReplacesNoFolderThatHoldsMoreThanADataSet) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "home");
  put_file(folder / "home" / "diary.txt", "precious");
  put_file(folder / "file", "precious");

  EXPECT_THAT(usage_error(folder / "home"), HasSubstr("holds more than a data set folder"));
  EXPECT_THAT(usage_error(folder / "file"), HasSubstr("is a file"));

  EXPECT_EQ(get_file(folder / "home" / "diary.txt"), "precious");
  EXPECT_EQ(get_file(folder / "file"), "precious");
  EXPECT_EQ(test::file_count(folder), 2U);
}

TEST(Save, WhatCannotBeWrittenLeavesTheOldAndNothingElse) {
  const TemporaryFolder folder;
  save(small(), folder / "set");
  Loaded bad = small();
  bad.arrays[kClassNames] = Array::of(std::vector<std::string>{"\xff"}, {1});  // not UTF-8

  EXPECT_TRUE(message_of<InvalidInput>([&] { save(bad, folder / "set"); }));

  EXPECT_EQ(load(folder / "set").arrays, small().arrays);
  EXPECT_EQ(test::file_count(folder), 1U);
}

TEST(AtomicFolder, LeavesNothingWithoutCommit) {
  const TemporaryFolder folder;
  {
    const AtomicFolder made(folder / "out");
    put_file(made.temporary() / "a", "half");
  }
  EXPECT_EQ(test::file_count(folder), 0U);
}

TEST(AtomicFolder, FollowsLinks) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "target");
  std::filesystem::create_directory_symlink(folder / "target", folder / "link");

  save(small(), folder / "link");

  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(load(folder / "target").hypergraph, small().hypergraph);
  EXPECT_EQ(test::file_count(folder), 2U);
}

RC_GTEST_PROP(SaveProperty, LoadGivesBackWhatSaveGot, ()) {
  const TemporaryFolder folder;
  const auto path =
      folder / *rc::gen::element<std::string>("set", "a.tsv", "a.csv.gz", "a.json", "a.hif.json.gz");
  // HIF turns undirected hyperedges made of heads into tails; a second passage changes nothing more.
  save({.hypergraph = *test::any_hypergraph()}, folder / "first.hif.json");
  const Loaded first = load(folder / "first.hif.json");

  save(first, path);

  RC_ASSERT(load(path).hypergraph == first.hypergraph);
}

}  // namespace
}  // namespace dshn::io
