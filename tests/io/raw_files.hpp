#pragma once

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "dshn/hypergraph/statistics.hpp"
#include "dshn/io/load.hpp"
#include "support/real_data.hpp"

namespace dshn::io::test {

inline Array integers(const std::vector<std::int64_t>& values, std::vector<std::int64_t> shape) {
  return Array::of(values, std::move(shape));
}

/// The real files; each test is skipped where they are not there.
class RealFiles : public testing::Test {
 protected:
  void SetUp() override { DSHN_NEEDS_REAL_DATA("raw"); }

  static std::filesystem::path raw(const std::string& name) { return dshn::test::real_data() / "raw" / name; }
  static Loaded prepared(const std::string& set) { return load(dshn::test::real_data() / set); }

  /// The statistics are the published ones, and the hypergraph is the prepared one, hyperedge by hyperedge.
  static void expect_set(const std::string& set, const Loaded& loaded) {
    const auto stats = nlohmann::json::parse(std::ifstream(dshn::test::real_data() / set / "stats.json"));
    const Statistics own = statistics(loaded.hypergraph);
    EXPECT_EQ(own.n_nodes, stats["n_nodes"]);
    EXPECT_EQ(own.n_hyperedges, stats["n_hyperedges"]);
    EXPECT_EQ(own.n_incidences, stats["n_distinct_memberships"]);
    EXPECT_EQ(own.n_tail_incidences, stats["n_tail_incidences"]);
    EXPECT_EQ(own.n_isolated_nodes, stats["n_isolated_nodes"]);
    EXPECT_THAT(own.avg_hyperedge_size, testing::DoubleNear(stats["avg_hyperedge_size"], 5e-7));
    EXPECT_THAT(own.avg_node_degree, testing::DoubleNear(stats["avg_node_degree"], 5e-7));
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
    EXPECT_THAT(ce_homophily(loaded.hypergraph, labels), testing::DoubleNear(stats["ce_homophily"], 5e-7));
  }
};

}  // namespace dshn::io::test
