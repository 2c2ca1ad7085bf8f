#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/has_zstd.hpp"
#include "io/hif_files.hpp"

namespace dshn::io {
namespace {

using nlohmann::json;
using test::get_file;
using test::message_of;
using test::put_file;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Hypergraph mixed() {
  const std::vector<Index> edge = {0, 0, 0, 1, 1};
  const std::vector<Index> node = {0, 1, 2, 2, 0};
  const std::vector<Role> role = {Role::tail, Role::head, Role::tail, Role::head, Role::head};
  HypergraphExtras extras;
  extras.edge_weights = {0.1, 1.0, 5e-324};
  extras.node_names =
      Names({Name::string("a"), Name::integer(-5), Name::string("q\"\\\n\xc3\xa9"), Name::integer(0)});
  return {4, 3, {edge, node, role}, OnConflict::error, extras};
}

TEST(HifWrite, WritesAllThereIsInIndexOrder) {
  const TemporaryFolder folder;
  HifWriteOptions options;
  options.metadata = R"({"name": "mixed"})";
  const std::vector<std::int64_t> labels = {1, 0, -1};
  options.edge_labels = labels;

  write_hif(mixed(), folder / "out.json", options);

  const std::string text = get_file(folder / "out.json");
  EXPECT_EQ(json::parse(text), json::parse(R"({"network-type":"directed","metadata":{"name":"mixed"},
      "nodes":[{"node":"a"},{"node":-5},{"node":"q\"\\\né"},{"node":0}],
      "edges":[{"edge":0,"weight":0.1,"attrs":{"label":1}},{"edge":1,"weight":1,"attrs":{"undirected":true,"label":0}},
               {"edge":2,"weight":5e-324,"attrs":{"undirected":true,"label":-1}}],
      "incidences":[{"edge":0,"node":"a","direction":"tail"},{"edge":0,"node":"q\"\\\né","direction":"tail"},
                    {"edge":0,"node":-5,"direction":"head"},{"edge":1,"node":"a","direction":"tail"},
                    {"edge":1,"node":"q\"\\\né","direction":"tail"}]})"));
  EXPECT_THAT(test::violations(text), IsEmpty());
  const Loaded loaded = read_hif(folder / "out.json");
  EXPECT_THAT(loaded.warnings, IsEmpty());
  EXPECT_THAT(loaded.arrays.at("edge_y").as<std::int64_t>("edge_y"), ElementsAre(1, 0, -1));
  EXPECT_EQ(loaded.metadata, R"({"name":"mixed"})");
}

TEST(HifWrite, ClassesMayBeWords) {
  const TemporaryFolder folder;
  const std::vector<std::int64_t> labels = {1, -1, 0, 1};
  const std::vector<std::string> names = {"blue", "r\"ed"};
  HifWriteOptions options;
  options.node_labels = labels;
  options.class_names = names;

  write_hif(mixed(), folder / "out.json", options);

  EXPECT_THAT(get_file(folder / "out.json"),
              HasSubstr(R"({"node":"a","attrs":{"label":"r\"ed"}},{"node":-5},)"));
  EXPECT_EQ((*read_hif(folder / "out.json").node_table.find("label"))[1], "blue");
  const std::vector<std::int64_t> too_large = {1, 2, 0, 1};
  options.node_labels = too_large;
  EXPECT_THROW(write_hif(mixed(), folder / "out.json", options), UsageError);
}

TEST(HifWrite, AnUndirectedHypergraphHasNoDirections) {
  const TemporaryFolder folder;
  const std::vector<Index> edge = {0, 0};
  const std::vector<Index> node = {1, 0};
  const std::vector<std::int64_t> labels = {7, 8};
  HifWriteOptions options;
  options.node_labels = labels;

  write_hif(Hypergraph(2, 1, {edge, node, {}}), folder / "out.json", options);

  EXPECT_EQ(
      get_file(folder / "out.json"),
      R"({"network-type":"undirected","nodes":[{"node":0,"attrs":{"label":7}},{"node":1,"attrs":{"label":8}}],)"
      R"("edges":[{"edge":0}],"incidences":[{"edge":0,"node":0},{"edge":0,"node":1}]})"
      "\n");
}

TEST(HifWrite, RefusesWhatDoesNotFit) {
  const TemporaryFolder folder;
  const std::vector<std::int64_t> labels = {1};
  HifWriteOptions wrong_labels;
  wrong_labels.node_labels = labels;
  EXPECT_THROW(write_hif(mixed(), folder / "out", wrong_labels), UsageError);
  for (const char* metadata : {"[]", "{", "{} x", "1"}) {
    HifWriteOptions wrong_metadata;
    wrong_metadata.metadata = metadata;
    EXPECT_THROW(write_hif(mixed(), folder / "out", wrong_metadata), UsageError) << metadata;
  }
  HypergraphExtras extras;
  extras.node_names = Names({Name::string("caf\xe9")});
  const Hypergraph latin1(1, 0, {}, OnConflict::error, extras);
  EXPECT_THAT(message_of<InvalidInput>([&] { write_hif(latin1, folder / "out"); }).value_or(""),
              HasSubstr("'caf' is not UTF-8"));
  EXPECT_EQ(test::file_count(folder), 0U);
}

TEST(HifWrite, LeavesNothingWhereItCannotWrite) {
  const TemporaryFolder folder;
  put_file(folder / "file", "x");
  EXPECT_THROW(write_hif(mixed(), folder / "file/out.json"), Failure);
  EXPECT_EQ(test::file_count(folder), 1U);
}

/// Distinct names, integers and strings, or none at all.
Names random_names(Index count) {
  if (*rc::gen::arbitrary<bool>()) return {};
  const auto integer =
      rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](std::int64_t i) { return Name::integer(i); });
  const auto small =
      rc::gen::map(rc::gen::inRange<std::int64_t>(-3, 30), [](std::int64_t i) { return Name::integer(i); });
  const auto text = rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
                                     "a", "1", "\"", "\\", "\n", "\x01", "\u00e9", "\U0001f600", "/")),
                                 [](const std::vector<std::string>& parts) {
                                   std::string joined;
                                   for (const std::string& part : parts) joined += part;
                                   return Name::string(joined);
                                 });
  const auto names = *rc::gen::uniqueBy<std::vector<Name>>(
      static_cast<std::size_t>(count), rc::gen::oneOf(integer, small, text),
      [](const Name& name) { return std::pair(name.text, name.is_integer); });
  return Names(names);
}

Hypergraph random_hypergraph() {
  const auto nodes = *rc::gen::inRange<Index>(0, 12);
  const auto edges = *rc::gen::inRange<Index>(0, 8);
  std::vector<Index> edge;
  std::vector<Index> node;
  std::vector<Role> role;
  for (Index e = 0; e < edges && nodes > 0; ++e) {
    const auto members = *rc::gen::container<std::set<Index>>(rc::gen::inRange<Index>(0, nodes));
    const auto heads =
        *rc::gen::inRange<std::size_t>(0, std::max<std::size_t>(members.size(), 1));  // a tail remains
    std::size_t i = 0;
    for (const Index v : members) {
      edge.push_back(e);
      node.push_back(v);
      role.push_back(i++ < heads ? Role::head : Role::tail);
    }
  }
  HypergraphExtras extras;
  extras.node_names = random_names(nodes);
  extras.edge_names = random_names(edges);
  if (*rc::gen::arbitrary<bool>()) {
    const auto weight =
        rc::gen::map(rc::gen::arbitrary<double>(), [](double w) { return std::abs(w) + 1e-300; });
    extras.edge_weights = *rc::gen::container<std::vector<double>>(static_cast<std::size_t>(edges), weight);
  }
  return {nodes, edges, {edge, node, role}, OnConflict::error, extras};
}

RC_GTEST_PROP(HifRoundTrip, GivesTheSameHypergraph, ()) {
  const Hypergraph written = random_hypergraph();
  const TemporaryFolder folder;
  for (const char* name : {"h.json", "h.json.gz", "h.json.zst"}) {
    if (std::string(name).ends_with(".zst") && !test::has_zstd()) continue;
    write_hif(written, folder / name);

    const Loaded read = read_hif(folder / name);

    RC_ASSERT(read.hypergraph == written);
    RC_ASSERT(read.warnings.empty());
    RC_ASSERT(validate_hif(folder / name).empty());
  }
}

RC_GTEST_PROP(HifRoundTrip, GivesTheSameBytes, ()) {
  const TemporaryFolder folder;
  write_hif(random_hypergraph(), folder / "a.json");

  write_hif(read_hif(folder / "a.json").hypergraph, folder / "b.json");

  RC_ASSERT(get_file(folder / "a.json") == get_file(folder / "b.json"));
}

}  // namespace
}  // namespace dshn::io
