#include <gmock/gmock.h>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/builder.hpp"
#include "dshn/io/array_file.hpp"
#include "dshn/io/data_files.hpp"
#include "dshn/io/format.hpp"
#include "dshn/io/load.hpp"
#include "dshn/io/stored_arrays.hpp"
#include "io/test_files.hpp"
#include "support/mapped_memory.hpp"

namespace dshn::io {
namespace {

using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Arrays arrays_of_all_kinds() {
  return {{"y", Array::of(std::vector<std::int64_t>{-1, 2}, {2})},
          {"x", Array::of(std::vector<float>{0.5F, 1}, {2, 1})},
          {"train_masks", Array::of(std::vector<bool>{true, false}, {1, 2})},
          {"other", Array::of(std::vector<std::complex<double>>{{1, -1}}, {1})},
          {"none", Array::of(std::vector<double>{}, {0, 3})},
          {"class_names", Array::of(std::vector<std::string>{"a", "\xc3\xa9", ""}, {3})},
          {"words", Array::of(std::vector<std::string>{"a", "b"}, {2, 1})},
          {"word", Array::of(std::vector<std::string>{"a"}, {})}};
}

Hypergraph weighed() {
  HypergraphBuilder builder;
  builder.incidence({"e", false}, {"a", false});
  builder.incidence({"e", false}, {"b", false}, Role::head);
  builder.incidence_weight(2.5);
  return builder.build();
}

TEST(BinaryDataSet, HoldsEverything) {
  const TemporaryFolder folder;
  const Loaded loaded{
      .hypergraph = weighed(), .arrays = arrays_of_all_kinds(), .metadata = R"({"name":"drawn"})"};

  EXPECT_THAT(save(loaded, folder / "set.dshn"), IsEmpty());

  const Loaded again = load(folder / "set.dshn");
  EXPECT_EQ(again.hypergraph, loaded.hypergraph);
  EXPECT_EQ(again.arrays, loaded.arrays);
  EXPECT_EQ(again.metadata, loaded.metadata);
  EXPECT_EQ(load(folder / "set.dshn").arrays.at("none").shape, (std::vector<std::int64_t>{0, 3}));
}

TEST(BinaryDataSet, IsRecognisedByItsContentAndStandsOnTheFile) {
  const TemporaryFolder folder;
  save({.hypergraph = weighed()}, folder / "a.dshn");
  std::filesystem::rename(folder / "a.dshn", folder / "a.csv");

  const Loaded loaded = load(folder / "a.csv");

  EXPECT_EQ(format_to_read(folder / "a.csv").name, "binary");
  EXPECT_EQ(loaded.format, "binary data set");
  EXPECT_EQ(loaded.hypergraph, weighed());
  const auto members = loaded.hypergraph.member_nodes();
  EXPECT_TRUE(dshn::test::is_mapped(members.data(), members.size_bytes(), folder / "a.csv"));
  EXPECT_NE(loaded.hypergraph.owner(), nullptr);
}

TEST(BinaryDataSet, DoesWithoutWeightsOfIncidencesWhereAsked) {
  const TemporaryFolder folder;
  save({.hypergraph = weighed()}, folder / "a.dshn");
  LoadOptions options;
  options.incidence_weights = IncidenceWeights::ignore;

  const Loaded loaded = load(folder / "a.dshn", options);

  EXPECT_FALSE(loaded.hypergraph.has_incidence_weights());
  EXPECT_EQ(loaded.hypergraph.edge_names(), weighed().edge_names());
  EXPECT_THAT(loaded.warnings, ElementsAre(HasSubstr("not used")));
  EXPECT_THAT(load(folder / "a.dshn").warnings, IsEmpty());
}

TEST(BinaryDataSet, IsRefusedWhereIdsLeadOutOfArrays) {
  const TemporaryFolder folder;
  ArrayViews views;
  const Hypergraph h = weighed();
  put_hypergraph(views, h);
  put_kept(views, "members", std::vector<Index>{0, 2});
  write_array_file(folder / "a.dshn", kDatasetKind, views);

  EXPECT_THAT(message_of<InvalidInput>([&] { load(folder / "a.dshn"); }).value_or(""),
              HasSubstr("a.dshn: members at 1: 2 is out of range; expected 0..1"));
}

TEST(BinaryDataSet, IsRefusedWhereArraysAreMissingOrDoNotFit) {
  const TemporaryFolder folder;
  const auto fault = [&](const ArrayViews& views) {
    write_array_file(folder / "a.dshn", kDatasetKind, views);
    return message_of<InvalidInput>([&] { load(folder / "a.dshn"); }).value_or("");
  };
  ArrayViews views;
  const Hypergraph h = weighed();
  put_hypergraph(views, h);
  EXPECT_EQ(fault(views), "");
  ArrayViews fewer = views;
  fewer.erase("node_edges");
  EXPECT_THAT(fault(fewer), HasSubstr("'node_edges' is missing"));
  put_kept(views, "head_begin", std::vector<Offset>{0, 1});
  EXPECT_THAT(fault(views), HasSubstr("the beginnings of heads have 2 entries; expected 1"));
}

}  // namespace
}  // namespace dshn::io
