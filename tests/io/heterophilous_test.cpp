#include <gmock/gmock.h>

#include "dshn/base/error.hpp"
#include "dshn/io/format.hpp"
#include "dshn/io/npz.hpp"
#include "io/raw_files.hpp"
#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using test::integers;
using test::message_of;
using test::RealFiles;
using testing::ElementsAre;
using testing::HasSubstr;

Arrays heterophilous_example() {
  return {{"edges", integers({0, 1, 0, 2, 1, 1}, {3, 2})},
          {"node_labels", integers({0, 1, 0}, {3})},
          {"node_features", Array::of(std::vector<float>{1, 2, 3}, {3, 1})},
          {"train_masks", Array::of(std::vector<bool>{true, false, false}, {1, 3})}};
}

TEST(Heterophilous, RenamesArraysAndFollowsTheSelfLoopRule) {
  const TemporaryFolder folder;
  write_npz(folder / "a.npz", heterophilous_example());

  const Loaded loaded = load(folder / "a.npz");

  EXPECT_EQ(format_to_read(folder / "a.npz").name, "heterophilous");
  ASSERT_EQ(loaded.hypergraph.edge_count(), 2);
  EXPECT_THAT(loaded.hypergraph.head(0), ElementsAre(1, 2));
  EXPECT_THAT(loaded.hypergraph.members(1), ElementsAre(1));
  EXPECT_EQ(loaded.arrays.size(), 3U);
  EXPECT_THAT(loaded.arrays.at("x").shape, ElementsAre(3, 1));
  EXPECT_THAT(loaded.arrays.at("y").as<std::int64_t>("y"), ElementsAre(0, 1, 0));
}

TEST(Heterophilous, NamesBadIdsWithTheirPlace) {
  const TemporaryFolder folder;
  const auto error_with = [&](const Array& edges) {
    Arrays arrays = heterophilous_example();
    arrays["edges"] = edges;
    write_npz(folder / "a.npz", arrays);
    return message_of<InvalidInput>([&] { load(folder / "a.npz"); }).value_or("");
  };
  EXPECT_THAT(error_with(integers({0, 1, -1, 2}, {2, 2})), HasSubstr("node id -1 at [1, 0] is outside 0..2"));
  EXPECT_THAT(error_with(integers({0, 3}, {1, 2})), HasSubstr("node id 3 at [0, 1] is outside 0..2"));
  EXPECT_THAT(error_with(integers({0, std::int64_t{1} << 31}, {1, 2})), HasSubstr("does not fit int32"));
  EXPECT_THAT(error_with(integers({0, 1, 2}, {3})), HasSubstr("'edges' has shape (3,)"));
}

TEST_F(RealFiles, HeterophilousSetsAreThePreparedOnes) {
  const std::pair<const char*, const char*> sets[] = {
      {"chameleon", "chameleon_filtered.npz"},
      {"squirrel", "squirrel_filtered.npz"},
      {"chameleon-directed", "chameleon_filtered_directed.npz"},
      {"squirrel-directed", "squirrel_filtered_directed.npz"}};
  for (const auto& [set, file] : sets) {
    SCOPED_TRACE(set);

    const Loaded loaded = load(raw(file));

    expect_set(set, loaded);
    expect_labels(set, loaded);
    EXPECT_EQ(loaded.arrays, prepared(set).arrays);
  }
}

}  // namespace
}  // namespace dshn::io
