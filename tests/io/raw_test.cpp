#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/statistics.hpp"
#include "dshn/io/hif.hpp"
#include "dshn/io/npy.hpp"
#include "dshn/io/npz.hpp"
#include "dshn/io/sparse.hpp"
#include "io/test_files.hpp"
#include "support/real_data.hpp"

namespace dshn::io {
namespace {

using test::message_of;
using test::put_file;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Array integers(const std::vector<std::int64_t>& values, std::vector<std::int64_t> shape) {
  return Array::of(values, std::move(shape));
}

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

TEST(Adjacency, SkipsStoredZerosAndTakesLabelsBeside) {
  const TemporaryFolder folder;
  const SparseMatrix matrix{3, 3, {0, 0, 2}, {1, 2, 0}, integers({5, 0, 1}, {3})};
  write_sparse(folder / "net_adj.npz", matrix);
  write_npy(folder / "net_labels.npy", integers({1, 2, 3}, {3}));

  const Loaded loaded = load(folder / "net_adj.npz");

  ASSERT_EQ(loaded.hypergraph.edge_count(), 2);
  EXPECT_THAT(loaded.hypergraph.head(0), ElementsAre(1));
  EXPECT_THAT(loaded.arrays.at("y").as<std::int64_t>("y"), ElementsAre(1, 2, 3));
}

TEST(Adjacency, RefusesShapesThatCannotBe) {
  const TemporaryFolder folder;
  const auto error_of = [&](std::int64_t rows, std::int64_t cols) {
    write_npz(folder / "a.npz", {{"format", Array::of(std::vector<std::string>{"coo"}, {})},
                                 {"shape", integers({rows, cols}, {2})},
                                 {"row", integers({0}, {1})},
                                 {"col", integers({1}, {1})},
                                 {"data", integers({1}, {1})}});
    return message_of<InvalidInput>([&] { load(folder / "a.npz"); }).value_or("");
  };
  EXPECT_THAT(error_of(2, 3), HasSubstr("must be square"));
  EXPECT_THAT(error_of(std::int64_t{1} << 40, std::int64_t{1} << 40), HasSubstr("at most 2^31 - 1"));
  EXPECT_THAT(error_of(2000000000, 2000000000), HasSubstr("only 1 entries"));
}

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

TEST(Linqs, ContentFileGivesOrderFeaturesAndClasses) {
  const TemporaryFolder folder;
  put_file(folder / "c.content", "31\t0\t1\tTheory\nabc\t1\t1\tAgents\n7\t1\t0\tTheory\n");
  put_file(folder / "c.cites", "31\tabc\n31\t7\nabc\tabc\n31\tunknown\n");

  const Loaded loaded = load(folder / "c.cites");

  ASSERT_EQ(loaded.hypergraph.edge_count(), 2);
  EXPECT_EQ(loaded.hypergraph.node_names()[0], Name::integer(31));
  EXPECT_EQ(loaded.hypergraph.node_names()[1], Name::string("abc"));
  EXPECT_THAT(loaded.hypergraph.head(0), ElementsAre(1, 2));
  EXPECT_THAT(loaded.hypergraph.members(1), ElementsAre(1));
  EXPECT_THAT(loaded.arrays.at("x").as<float>("x"), ElementsAre(0, 1, 1, 1, 1, 0));
  EXPECT_THAT(loaded.arrays.at("y").as<std::int64_t>("y"), ElementsAre(1, 0, 1));
  EXPECT_THAT(loaded.arrays.at("class_names").texts, ElementsAre("Agents", "Theory"));
  EXPECT_THAT(loaded.warnings, ElementsAre("1 citations name a paper without features and were left out"));
}

TEST(Linqs, WithoutContentEveryPaperIsANode) {
  const TemporaryFolder folder;
  put_file(folder / "c.cites", "31\t7\n31\t12\n");

  const Loaded loaded = load(folder / "c.cites");

  EXPECT_EQ(loaded.hypergraph.node_count(), 3);
  EXPECT_EQ(loaded.hypergraph.node_names()[0], Name::integer(7));
  EXPECT_EQ(loaded.warnings.size(), 1U);
}

TEST(Linqs, RefusesPapersListedTwice) {
  const TemporaryFolder folder;
  put_file(folder / "c.cites", "1\t2\n");
  put_file(folder / "c.content", "1\t0\ta\n2\t0\ta\n1\t0\ta\n");

  const auto message = message_of<InvalidInput>([&] { load(folder / "c.cites"); });

  EXPECT_THAT(message.value_or(""), HasSubstr("paper '1' is listed twice"));
}

/// The real files; each test is skipped where they are not there.
class RealFiles : public testing::Test {
 protected:
  void SetUp() override { DSHN_NEEDS_REAL_DATA("raw"); }

  static std::filesystem::path raw(const std::string& name) { return dshn::test::real_data() / "raw" / name; }
  static Loaded prepared(const std::string& set) {
    Loaded loaded = read_hif(dshn::test::real_data() / set / "hypergraph.hif.json.gz");
    loaded.arrays = read_npz(dshn::test::real_data() / set / "nodes.npz");
    return loaded;
  }

  /// The statistics are the published ones, and the hypergraph is the prepared one, hyperedge by hyperedge.
  static void expect_set(const std::string& set, const Loaded& loaded) {
    const auto stats = nlohmann::json::parse(std::ifstream(dshn::test::real_data() / set / "stats.json"));
    const Statistics own = statistics(loaded.hypergraph);
    EXPECT_EQ(own.n_nodes, stats["n_nodes"]);
    EXPECT_EQ(own.n_hyperedges, stats["n_hyperedges"]);
    EXPECT_EQ(own.n_incidences, stats["n_distinct_memberships"]);
    EXPECT_EQ(own.n_tail_incidences, stats["n_tail_incidences"]);
    EXPECT_EQ(own.n_isolated_nodes, stats["n_isolated_nodes"]);
    EXPECT_THAT(own.avg_hyperedge_size, DoubleNear(stats["avg_hyperedge_size"], 5e-7));
    EXPECT_THAT(own.avg_node_degree, DoubleNear(stats["avg_node_degree"], 5e-7));
    const Hypergraph reference = prepared(set).hypergraph;
    const auto equal = [](auto a, auto b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); };
    EXPECT_TRUE(equal(loaded.hypergraph.edge_ptr(), reference.edge_ptr()));
    EXPECT_TRUE(equal(loaded.hypergraph.head_begin(), reference.head_begin()));
    EXPECT_TRUE(equal(loaded.hypergraph.member_nodes(), reference.member_nodes()));
  }

  static void expect_labels(const std::string& set, const Loaded& loaded) {
    const std::vector<Index> labels = loaded.arrays.at("y").as<Index>("y");
    const auto stats = nlohmann::json::parse(std::ifstream(dshn::test::real_data() / set / "stats.json"));
    EXPECT_EQ(labels, prepared(set).arrays.at("y").as<Index>("y"));
    EXPECT_THAT(ce_homophily(loaded.hypergraph, labels), DoubleNear(stats["ce_homophily"], 5e-7));
  }

  /// The citations with a file of contents made from the ids of the prepared set.
  static Loaded with_ids(const std::string& set) {
    const TemporaryFolder folder;
    std::filesystem::copy_file(raw(set + ".cites"), folder / "a.cites");
    std::ifstream ids(dshn::test::real_data() / set / "node_ids.txt");
    std::ofstream content(folder / "a.content");
    for (std::string id; std::getline(ids, id);) content << id << "\t0\tclass\n";
    content.close();
    return load(folder / "a.cites");
  }
};

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

TEST_F(RealFiles, TelegramIsThePreparedOne) {
  const Loaded loaded = load(raw("telegram_adj.npz"));

  expect_set("telegram", loaded);
  expect_labels("telegram", loaded);
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

TEST_F(RealFiles, CoraNeedsOnlyItsIds) {
  const Loaded named = with_ids("cora");
  const Loaded bare = load(raw("cora.cites"));

  expect_set("cora", named);
  EXPECT_THAT(named.warnings, IsEmpty());
  // Every paper of cora cites or is cited, so the numbers are the same without the list; only the numbering
  // is not.
  EXPECT_EQ(bare.hypergraph.node_count(), 2708);
  EXPECT_EQ(bare.hypergraph.edge_count(), 1565);
  EXPECT_EQ(bare.hypergraph.incidence_count(), 6994);
}

TEST_F(RealFiles, CiteseerLosesThePapersWithoutFeatures) {
  const Loaded named = with_ids("citeseer");
  const Loaded bare = load(raw("citeseer.cites"));

  expect_set("citeseer", named);
  EXPECT_THAT(named.warnings, ElementsAre("17 citations name a paper without features and were left out"));
  EXPECT_EQ(bare.hypergraph.node_count(), 3312 + 15);
}

}  // namespace
}  // namespace dshn::io
