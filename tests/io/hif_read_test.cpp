#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/hif_files.hpp"
#include "support/real_data.hpp"

namespace dshn::io {
namespace {

using test::edge_names;
using test::load_text;
using test::members;
using test::node_names;
using test::refusal;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

LoadOptions with(MissingDirection rule) {
  LoadOptions options;
  options.missing_direction = rule;
  return options;
}

LoadOptions with(OnConflict rule) {
  LoadOptions options;
  options.on_conflict = rule;
  return options;
}

// Ids and their order.

TEST(HifRead, TakesKeysInAnyOrder) {
  const char* parts[] = {
      R"("incidences":[{"direction":"head","node":"b","edge":"e"},{"edge":"e","node":"a","direction":"tail"}])",
      R"("nodes":[{"node":"a"},{"node":"b"},{"node":"c"}])", R"("edges":[{"weight":2.5,"edge":"e"}])",
      R"("network-type":"directed")", R"("metadata":{ "x" : [1, 2] })"};
  std::vector<int> order = {0, 1, 2, 3, 4};
  do {
    std::vector<std::string> chosen;
    chosen.reserve(order.size());
    for (const int part : order) chosen.emplace_back(parts[part]);
    const Loaded loaded = load_text(std::string("{").append(test::joined(chosen, ',')).append("}"));
    EXPECT_EQ(node_names(loaded.hypergraph), "'a' 'b' 'c'");
    EXPECT_EQ(members(loaded.hypergraph, 0), "0>1");
    EXPECT_EQ(loaded.hypergraph.weight(0), 2.5);
    EXPECT_EQ(loaded.metadata, R"({"x":[1,2]})");
    EXPECT_THAT(loaded.warnings, IsEmpty());
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(HifRead, ListedComeFirstThenTheRestAsItAppears) {
  const Loaded loaded =
      load_text(R"({"incidences":[{"edge":9,"node":5},{"edge":3,"node":"x"},{"edge":1,"node":4}],
                                      "nodes":[{"node":8},{"node":4}],"edges":[{"edge":1}]})");
  EXPECT_EQ(node_names(loaded.hypergraph), "8 4 5 'x'");
  EXPECT_EQ(edge_names(loaded.hypergraph), "1 9 3");
}

TEST(HifRead, IntegersWithoutAListAreOrderedByValue) {
  const Loaded loaded =
      load_text(R"({"incidences":[{"edge":9,"node":5000000000},{"edge":-3,"node":7},{"edge":1,"node":-4},
                                      {"edge":1,"node":6000000},{"edge":1,"node":-9223372036854775808}]})");
  EXPECT_EQ(node_names(loaded.hypergraph), "-9223372036854775808 -4 7 6000000 5000000000");
  EXPECT_EQ(edge_names(loaded.hypergraph), "-3 1 9");
  EXPECT_EQ(members(loaded.hypergraph, 1), "0,1,3>");
}

TEST(HifRead, StringsWithoutAListKeepTheirOrderOfAppearance) {
  const Loaded loaded =
      load_text(R"({"incidences":[{"edge":"z","node":"b"},{"edge":"y","node":1},{"edge":"z","node":"a"}]})");
  EXPECT_EQ(node_names(loaded.hypergraph), "'b' 1 'a'");
  EXPECT_EQ(edge_names(loaded.hypergraph), "'z' 'y'");
}

TEST(HifRead, AStringAndAnIntegerDifferAndOneIsOne) {
  const Loaded loaded = load_text(
      R"({"incidences":[],"nodes":[{"node":1},{"node":"1"},{"node":1.0},{"node":10e-1},{"node":"\u0031"}]})");
  EXPECT_EQ(node_names(loaded.hypergraph), "1 '1'");
}

TEST(HifRead, ConsecutiveIntegersNeedNoNames) {
  const Loaded loaded =
      load_text(R"({"incidences":[{"edge":1,"node":2},{"edge":0,"node":0},{"edge":1,"node":1}]})");
  EXPECT_TRUE(loaded.hypergraph.node_names().implicit());
  EXPECT_TRUE(loaded.hypergraph.edge_names().implicit());
}

TEST(HifRead, ManySparseIdsAreFoundAgain) {
  constexpr std::int64_t kCount = 2000;
  nlohmann::json incidences = nlohmann::json::array();
  for (const int edge : {0, 1}) {
    for (std::int64_t i = 0; i < kCount; ++i) {
      const std::int64_t sign = i % 3 == 0 ? -1 : 1;
      incidences.push_back({{"edge", edge}, {"node", sign * i * 3'000'017}});
    }
  }

  const Loaded loaded = load_text(nlohmann::json{{"incidences", incidences}}.dump());

  EXPECT_EQ(loaded.hypergraph.node_count(), kCount);
  for (Index v = 0; v < kCount; ++v) EXPECT_EQ(loaded.hypergraph.degree(v), 2);
}

TEST(HifRead, AnIdBeyond64BitsIsRefused) {
  EXPECT_THAT(refusal(R"({"incidences":[{"edge":1,"node":18446744073709551616}]})"),
              HasSubstr("byte 32: /incidences/0: id 18446744073709551616 does not fit 64 bits"));
}

TEST(HifRead, IdsOfOtherKindsAreRefused) {
  for (const std::string id : {"null", "true", "[1]", "{}", "0.5"}) {
    EXPECT_THAT(refusal(R"({"incidences":[{"edge":1,"node":)" + id + "}]}"),
                HasSubstr("expected a string or an integer"));
  }
}

// Direction.

TEST(HifRead, MissingDirectionIsAnErrorByDefault) {
  EXPECT_THAT(
      refusal(R"({"incidences":[{"edge":1,"node":"v"}],"network-type":"directed"})"),
      HasSubstr(
          "byte 15 of the text: /incidences/0: hyperedge 1, node 'v': no direction in a directed file"));
}

constexpr const char* kHalfDirected = R"({"network-type":"directed","incidences":[
    {"edge":0,"node":0,"direction":"head"},{"edge":0,"node":1},{"edge":1,"node":1,"direction":"tail"},
    {"edge":1,"node":2,"direction":"head"}]})";

TEST(HifRead, MissingDirectionAsTail) {
  const Loaded loaded = load_text(kHalfDirected, with(MissingDirection::tail));
  EXPECT_EQ(members(loaded.hypergraph, 0), "1>0");
  EXPECT_EQ(members(loaded.hypergraph, 1), "1>2");
  EXPECT_THAT(loaded.warnings, ElementsAre("1 incidences without a direction were read as tails"));
}

TEST(HifRead, MissingDirectionMakesTheHyperedgeUndirected) {
  const Loaded loaded = load_text(kHalfDirected, with(MissingDirection::undirected));
  EXPECT_EQ(members(loaded.hypergraph, 0), "0,1>");
  EXPECT_EQ(members(loaded.hypergraph, 1), "1>2");
  EXPECT_THAT(loaded.warnings, Contains(HasSubstr("1 hyperedges have incidences without a direction")));
}

TEST(HifRead, AHyperedgeMarkedUndirectedNeedsNoDirection) {
  const Loaded loaded =
      load_text(R"({"network-type":"directed","incidences":[{"edge":0,"node":0},{"edge":0,"node":1},
      {"edge":1,"node":0,"direction":"tail"},{"edge":1,"node":1,"direction":"head"}],
      "edges":[{"edge":0,"attrs":{"undirected":true}},{"edge":1,"attrs":{"undirected":false}}]})");
  EXPECT_EQ(members(loaded.hypergraph, 0), "0,1>");
  EXPECT_EQ(members(loaded.hypergraph, 1), "0>1");
  EXPECT_THAT(loaded.warnings, IsEmpty());
}

TEST(HifRead, DirectionsWithoutATypeMeanDirected) {
  const Loaded loaded = load_text(
      R"({"incidences":[{"edge":0,"node":0,"direction":"tail"},{"edge":0,"node":1,"direction":"head"}]})");
  EXPECT_EQ(members(loaded.hypergraph, 0), "0>1");
  EXPECT_THAT(loaded.warnings,
              ElementsAre(HasSubstr("no network-type: read as directed, because 2 incidences")));
}

TEST(HifRead, DirectionsInAnUndirectedFileAreIgnoredAloud) {
  const Loaded loaded =
      load_text(R"({"network-type":"undirected","incidences":[{"edge":0,"node":0,"direction":"tail"},
      {"edge":0,"node":1,"direction":"head"}]})");
  EXPECT_EQ(members(loaded.hypergraph, 0), "0,1>");
  EXPECT_THAT(loaded.warnings, ElementsAre(HasSubstr("the direction of 2 incidences was ignored")));
}

TEST(HifRead, ASimplicialComplexIsReadAsListed) {
  const Loaded loaded =
      load_text(R"({"network-type":"asc","incidences":[{"edge":0,"node":0},{"edge":0,"node":1}]})");
  EXPECT_EQ(loaded.hypergraph.edge_count(), 1);
  EXPECT_THAT(loaded.warnings, ElementsAre(HasSubstr("network-type is asc")));
}

// Conflicts.

constexpr const char* kBothRoles = R"({"network-type":"directed","incidences":[
    {"edge":"e","node":"v","direction":"head"},{"edge":"e","node":"v","direction":"tail"},
    {"edge":"e","node":"w","direction":"head"}]})";

TEST(HifRead, ANodeInBothRolesIsRefusedByName) {
  EXPECT_THAT(refusal(kBothRoles),
              AllOf(HasSubstr("test.json: hyperedge 'e': node 'v' is both tail and head")));
}

TEST(HifRead, ANodeInBothRolesIsMergedByRule) {
  const Loaded tail = load_text(kBothRoles, with(OnConflict::keep_tail));
  EXPECT_EQ(members(tail.hypergraph, 0), "0>1");
  EXPECT_THAT(tail.warnings, ElementsAre("1 repeated incidences were merged"));
  EXPECT_EQ(members(load_text(kBothRoles, with(OnConflict::keep_head)).hypergraph, 0), ">0,1");
}

TEST(HifRead, ContradictionsAreRefused) {
  EXPECT_THAT(refusal(R"({"incidences":[],"edges":[{"edge":1,"weight":2},{"edge":1,"weight":3}]})"),
              HasSubstr("hyperedge 1 is listed with weight 2 and with weight 3"));
  EXPECT_THAT(refusal(R"({"incidences":[],"type":"directed","network-type":"asc"})"),
              HasSubstr("contradict"));
  EXPECT_THAT(refusal(R"({"incidences":[{"edge":1,"edge":2,"node":1}]})"),
              HasSubstr("key 'edge' appears twice"));
  EXPECT_THAT(refusal(R"({"incidences":[],"incidences":[]})"), HasSubstr("key 'incidences' appears twice"));
}

// Weights, labels, attributes.

TEST(HifRead, HyperedgeWeightsAreUsedAlsoFromAttributes) {
  const Loaded loaded = load_text(
      R"({"incidences":[],"edges":[{"edge":0,"weight":0.1},{"edge":1},{"edge":2,"attrs":{"weight":3}},
      {"edge":3,"weight":1e-3,"attrs":{"weight":9}}]})");
  EXPECT_THAT(loaded.hypergraph.edge_weights(), ElementsAre(0.1, 1.0, 3.0, 1e-3));
  EXPECT_THAT(loaded.warnings, ElementsAre("the weight of 1 hyperedges was taken from their attrs"));
}

TEST(HifRead, WeightsThatCannotBeUsedAreRefused) {
  for (const std::string weight : {"0", "-2", "1e999"}) {
    EXPECT_THAT(refusal(R"({"incidences":[],"edges":[{"edge":"e","weight":)" + weight + "}]}"),
                AllOf(HasSubstr("test.json: byte "), HasSubstr("weight")));
  }
}

TEST(HifRead, LabelsBecomeArrays) {
  const Loaded loaded =
      load_text(R"({"nodes":[{"node":"b","attrs":{"label":0}},{"node":"a","attrs":{"label":-1.0}}],
      "edges":[{"edge":0},{"edge":1,"attrs":{"label":0}}],"incidences":[{"edge":1,"node":"a"}]})");
  ASSERT_TRUE(loaded.arrays.contains("y"));
  EXPECT_THAT(loaded.arrays.at("y").as<std::int64_t>("y"), ElementsAre(0, -1));
  EXPECT_THAT(loaded.arrays.at("edge_y").as<std::int64_t>("edge_y"), ElementsAre(-1, 0));
  EXPECT_THAT(loaded.warnings, IsEmpty());
}

/// The values of a column by item, empty where there is none.
std::vector<std::string> by_item(const ItemTable& table, const std::string& name, Index count) {
  std::vector<std::string> values(static_cast<std::size_t>(count));
  const TextColumn* const column = table.find(name);
  if (column == nullptr) return {};
  for (std::int64_t row = 0; row < table.rows(); ++row)
    values[static_cast<std::size_t>(table.items[static_cast<std::size_t>(row)])] = (*column)[row];
  return values;
}

TEST(HifRead, OtherLabelsBecomeAColumn) {
  const Loaded words = load_text(R"({"nodes":[{"node":"c"},{"attrs":{"label":"red"},"node":"b"},
      {"node":"a","attrs":{"label":null}},{"node":"d","attrs":{"label":"nil"}}],"incidences":[]})");
  EXPECT_FALSE(words.arrays.contains("y"));
  EXPECT_THAT(by_item(words.node_table, "label", 4), ElementsAre("", "red", "", ""));
  const Loaded years = load_text(R"({"edges":[{"edge":0,"attrs":{"label":1999}},
      {"edge":1,"attrs":{"label":-1}}],"incidences":[]})");
  EXPECT_THAT(by_item(years.edge_table, "label", 2), ElementsAre("1999", ""));
}

TEST(HifRead, KeepsTheAttributesThatAreAskedFor) {
  LoadOptions options;
  options.node_attributes = {.label = "kind", .others = {"age", "ok"}};
  const Loaded loaded = load_text(R"({"nodes":[{"node":1,"attrs":{"age":3.5,"kind":"x","town":"Oslo"}},
      {"node":0,"attrs":{"ok":true,"age":[1]}},{"node":2,"attrs":{"kind":"y","age":1e2,"label":7}}],"incidences":[]})",
                                  options);
  EXPECT_THAT(by_item(loaded.node_table, "kind", 3), ElementsAre("x", "", "y"));
  EXPECT_THAT(by_item(loaded.node_table, "age", 3), ElementsAre("3.5", "", "100"));
  EXPECT_THAT(by_item(loaded.node_table, "ok", 3), ElementsAre("", "true", ""));
  EXPECT_EQ(loaded.node_table.find("town"), nullptr);
  EXPECT_THAT(loaded.warnings, ElementsAre("attributes of 3 nodes are not used: age, label, town"));

  options.node_attributes.all = true;
  EXPECT_NE(load_text(R"({"nodes":[{"node":1,"attrs":{"town":"Oslo"}}],"incidences":[]})", options)
                .node_table.find("town"),
            nullptr);
}

TEST(HifRead, NodesListedAgainMayAddAttributesButNotChangeThem) {
  LoadOptions options;
  options.node_attributes.all = true;
  const Loaded loaded = load_text(R"({"nodes":[{"node":1,"attrs":{"a":1}},{"node":2,"attrs":{"a":2}},
      {"node":1,"attrs":{"a":1,"b":"x"}}],"incidences":[]})",
                                  options);
  EXPECT_EQ(loaded.node_table.rows(), 2);
  EXPECT_THAT(by_item(loaded.node_table, "b", 2), ElementsAre("x", ""));
  EXPECT_THAT(refusal(R"({"nodes":[{"node":1,"attrs":{"a":1}},{"node":1,"attrs":{"a":2}}],"incidences":[]})",
                      options),
              HasSubstr("node 1 is listed with a 1 and with a 2"));
}

TEST(HifRead, WhatIsNotUsedIsCountedOnce) {
  const Loaded loaded = load_text(R"({"nodes":[{"node":0,"weight":2,"attrs":{"a":1}},{"node":1,"attrs":{}}],
      "incidences":[{"edge":0,"node":0,"weight":0.5,"attrs":{"t":1}},{"edge":0,"node":1,"weight":1,"attrs":{}},
                    {"edge":1,"node":1,"weight":3}]})");
  EXPECT_THAT(loaded.warnings,
              ElementsAre("the attributes of 1 incidences are not used", "the weight of 1 nodes is not used",
                          "attributes of 1 nodes are not used: a"));
}

TEST(HifRead, WeightsOfIncidencesAreUsedUnlessToldOtherwise) {
  const std::string text = R"({"incidences":[{"edge":0,"node":0},{"edge":0,"node":1,"weight":2.5},
      {"edge":1,"node":1},{"edge":1,"node":0,"weight":null}]})";
  const Loaded loaded = load_text(text);
  EXPECT_THAT(loaded.hypergraph.incidence_weights(), ElementsAre(1, 2.5, 1, 1));
  EXPECT_THAT(loaded.notes,
              ElementsAre("the weights of 1 incidences are used: a member counts so many times"));

  LoadOptions options;
  options.incidence_weights = IncidenceWeights::ignore;
  const Loaded alike = load_text(text, options);
  EXPECT_FALSE(alike.hypergraph.has_incidence_weights());
  EXPECT_THAT(alike.warnings,
              testing::Contains("the weights of 1 incidences are not used: members count alike"));
  EXPECT_THAT(alike.notes, testing::IsEmpty());
}

TEST(HifRead, WeightsOfIncidencesThatCannotCountMembersAreLeftOutTogether) {
  const Loaded loaded = load_text(R"({"incidences":[{"edge":"e","node":"a","weight":2},
      {"edge":"e","node":"b","weight":-0.5},{"edge":"f","node":"a","weight":0}]})");
  EXPECT_FALSE(loaded.hypergraph.has_incidence_weights());
  EXPECT_THAT(
      loaded.warnings,
      ElementsAre("the weights of 3 incidences are not used: node 'b' has -0.5 in hyperedge 'e', and what "
                  "counts members is above 0"));
}

// Files as other programs write them.

TEST(HifRead, AsXgiWrites) {
  const Loaded loaded = load_text(R"({
  "network-type": "directed",
  "metadata": {"name": "tiny"},
  "nodes": [{"node": "lonely"}],
  "edges": [{"edge": "r1", "attrs": {"weight": 2.0, "kind": null}}],
  "incidences": [
    {"edge": "r1", "node": "a", "direction": "tail"},
    {"edge": "r1", "node": "b", "direction": "head"}
  ]
})");
  EXPECT_EQ(node_names(loaded.hypergraph), "'lonely' 'a' 'b'");
  EXPECT_EQ(members(loaded.hypergraph, 0), "1>2");
  EXPECT_EQ(loaded.hypergraph.weight(0), 2.0);
}

TEST(HifRead, AsHyperNetXWrites) {
  const Loaded loaded =
      load_text(R"({"network-type":"directed","metadata":{"default_attrs":{"node":{"weight":1}}},
      "incidences":[{"edge":"e","node":"a","weight":1,"direction":"tail","attrs":{}},
                    {"edge":"e","node":"b","weight":"nil","direction":"head","attrs":{}},
                    {"edge":"f","node":"b","weight":1,"direction":"nil","attrs":{}}],
      "nodes":[{"node":"a","weight":1,"attrs":{}},{"node":"b","weight":null,"attrs":{}}],
      "edges":[{"edge":"e","weight":1,"attrs":{}},{"edge":"f","weight":1,"attrs":{}}]})",
                with(MissingDirection::tail));
  EXPECT_EQ(members(loaded.hypergraph, 0), "0>1");
  EXPECT_EQ(members(loaded.hypergraph, 1), "1>");
  EXPECT_FALSE(loaded.hypergraph.weighted());
  EXPECT_THAT(loaded.warnings, ElementsAre("1 incidences without a direction were read as tails",
                                           "3 values that are null or \"nil\" were read as missing"));
}

TEST(HifRead, AsHgxWrites) {
  const Loaded loaded =
      load_text(R"({"type":"undirected","incidences":[{"edge":0,"node":"a"}],"nodes":[],"edges":[]})");
  EXPECT_EQ(loaded.hypergraph.incidence_count(), 1);
  EXPECT_THAT(loaded.warnings, ElementsAre("the key 'type' was read as 'network-type'"));
}

TEST(HifRead, ACollectionNamesItsMembers) {
  EXPECT_THAT(
      refusal(
          R"({"type":"collection","datasets":{"a":{"relative-path":"a.json","x":1},"b":{"relative-path":"b.json"}}})"),
      HasSubstr("an XGI collection, not one hypergraph; load one of its members: a.json, b.json"));
}

TEST(HifRead, AByteOrderMarkIsHarmless) {
  EXPECT_EQ(load_text("\xef\xbb\xbf{\"incidences\":[]}").hypergraph.node_count(), 0);
}

TEST(HifRead, TellsTheFormatAndTheProgress) {
  const TemporaryFolder folder;
  ByteWriter writer(folder / "a.json.gz");
  writer.write(R"({"incidences":[]})");
  writer.commit();
  std::int64_t done = 0;
  LoadOptions options;
  options.progress = [&](std::int64_t bytes, std::int64_t) { done = bytes; };

  EXPECT_EQ(read_hif(folder / "a.json.gz", options).format, "HIF JSON, gzip");
  EXPECT_EQ(done, static_cast<std::int64_t>(std::filesystem::file_size(folder / "a.json.gz")));
  EXPECT_EQ(load_text(R"({"incidences":[]})").format, "HIF JSON");
}

TEST(HifRead, LoadsEveryDataSet) {
  DSHN_NEEDS_REAL_DATA("cora");
  int loaded = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dshn::test::real_data())) {
    const auto file = entry.path() / "hypergraph.hif.json.gz";
    if (!std::filesystem::exists(file)) continue;
    const auto stats = nlohmann::json::parse(test::get_file(entry.path() / "stats.json"));
    const Loaded set = read_hif(file);
    EXPECT_EQ(set.hypergraph.node_count(), stats.at("n_nodes").get<Index>()) << file;
    EXPECT_EQ(set.hypergraph.edge_count(), stats.at("n_hyperedges").get<Index>()) << file;
    if (stats.contains("n_distinct_memberships")) {
      EXPECT_EQ(set.hypergraph.incidence_count(), stats.at("n_distinct_memberships").get<Offset>()) << file;
    }
    EXPECT_THAT(set.warnings, IsEmpty()) << file;
    EXPECT_THAT(validate_hif(file), IsEmpty()) << file;
    ++loaded;
  }
  EXPECT_GT(loaded, 0);
}

}  // namespace
}  // namespace dshn::io
