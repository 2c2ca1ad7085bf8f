#include <gmock/gmock.h>

#include "dshn/base/error.hpp"
#include "dshn/io/format.hpp"
#include "dshn/io/npz.hpp"
#include "io/raw_files.hpp"
#include "io/test_files.hpp"

namespace dshn::io {
namespace {

using test::message_of;
using test::put_file;
using test::RealFiles;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kNodes = "node_id\tfeature\tlabel\n1\t0,1\t4\n0\t1,0\t3\n2\t1,1\t3\n";
constexpr const char* kArcs = "node_id\tnode_id\n0\t1\n2\t2\n";

TEST(Webkb, SortsRowsByIdAndSplitsByNumber) {
  const TemporaryFolder folder;
  put_file(folder / "out1_node_feature_label.txt", kNodes);
  put_file(folder / "out1_graph_edges.txt", kArcs);
  for (const int number : {10, 2}) {
    const Array mask =
        Array::of(std::vector<std::uint8_t>{static_cast<std::uint8_t>(number == 2), 0, 1}, {3});
    write_npz(folder / ("x_split_0.6_0.2_" + std::to_string(number) + ".npz"),
              {{"train_mask", mask}, {"val_mask", mask}, {"test_mask", mask}});
  }

  const Loaded loaded = load(folder.path());

  EXPECT_EQ(format_to_read(folder.path()).name, "webkb");
  EXPECT_EQ(loaded.hypergraph.edge_count(), 2);
  EXPECT_THAT(loaded.arrays.at("x").as<float>("x"), ElementsAre(1, 0, 0, 1, 1, 1));
  EXPECT_THAT(loaded.arrays.at("y").as<std::int64_t>("y"), ElementsAre(3, 4, 3));
  EXPECT_THAT(loaded.arrays.at("train_masks").as<bool>("m"),
              ElementsAre(true, false, true, false, false, true));
}

TEST(Webkb, ErrorsNameFileAndLine) {
  const TemporaryFolder folder;
  const auto error_of = [&](const std::string& nodes, const std::string& arcs) {
    put_file(folder / "out1_node_feature_label.txt", nodes);
    put_file(folder / "out1_graph_edges.txt", arcs);
    return message_of<InvalidInput>([&] { load(folder.path()); }).value_or("");
  };
  EXPECT_THAT(error_of(kNodes, "node_id\tnode_id\n0\t3\n"),
              HasSubstr("out1_graph_edges.txt, line 2: node id 3 is outside"));
  EXPECT_THAT(error_of(kNodes, "node_id\tnode_id\n0\t-1\n"), HasSubstr("line 2: node id -1 is outside"));
  EXPECT_THAT(error_of(kNodes, "node_id\tnode_id\n0\n"), HasSubstr("line 2: expected two node ids"));
  EXPECT_THAT(error_of("0\t1,0\t0\n1\t1\t0\n", kArcs),
              HasSubstr("line 2: 1 features, but the rows before have 2"));
  EXPECT_THAT(error_of("0\t1,x\t0\n", kArcs), HasSubstr("line 1: 'x' is not a feature"));
  EXPECT_THAT(error_of("0\t1\t0\n0\t1\t0\n", kArcs), HasSubstr("node id 0 is outside 0..1 or listed twice"));
}

TEST_F(RealFiles, CornellIsThePreparedOne) {
  const Loaded loaded = load(raw("webkb_cornell"));

  expect_set("cornell", loaded);
  expect_labels("cornell", loaded);
  const Arrays reference = prepared("cornell").arrays;
  EXPECT_EQ(loaded.arrays.at("x"), reference.at("x"));
  const std::vector<bool> all = reference.at("train_masks").as<bool>("m");
  EXPECT_THAT(loaded.arrays.at("train_masks").shape,
              ElementsAre(1, 183));  // only the first split is handed out
  EXPECT_EQ(loaded.arrays.at("train_masks").as<bool>("m"), std::vector<bool>(all.begin(), all.begin() + 183));
}

}  // namespace
}  // namespace dshn::io
