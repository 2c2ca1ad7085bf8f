// The cases of the HIF standard's own test suite, by their names there, with content of our own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "io/hif_files.hpp"

namespace dshn::io {
namespace {

using test::load_text;
using test::refusal;
using test::violations;

struct Compliant {
  const char* name;
  const char* text;
  Index nodes;
  Index edges;
  Offset incidences;
};

std::ostream& operator<<(std::ostream& out, const Compliant& c) {
  return out << c.name;
}

class HifCompliant : public testing::TestWithParam<Compliant> {};

TEST_P(HifCompliant, LoadsAndValidates) {
  const Compliant& c = GetParam();
  LoadOptions options;
  options.missing_direction = MissingDirection::tail;

  const Loaded loaded = load_text(c.text, options);

  EXPECT_EQ(loaded.hypergraph.node_count(), c.nodes);
  EXPECT_EQ(loaded.hypergraph.edge_count(), c.edges);
  EXPECT_EQ(loaded.hypergraph.incidence_count(), c.incidences);
  EXPECT_THAT(violations(c.text), testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Suite, HifCompliant,
    testing::Values(
        Compliant{"empty_hypergraph", R"({"incidences":[]})", 0, 0, 0},
        Compliant{"empty_arrays", R"({"incidences":[],"nodes":[],"edges":[]})", 0, 0, 0},
        Compliant{"metadata_with_nested_attributes", R"({"incidences":[],"metadata":{"a":{"b":[1,null]}}})",
                  0, 0, 0},
        Compliant{"metadata_with_deeply_nested_attributes",
                  R"({"incidences":[],"metadata":{"a":{"b":{"c":{"d":[{"e":[[[{"f":"g"}]]]}]}}}}})", 0, 0, 0},
        Compliant{"single_node", R"({"incidences":[],"nodes":[{"node":7}]})", 1, 0, 0},
        Compliant{"single_node_with_attrs",
                  R"({"incidences":[],"nodes":[{"node":7,"attrs":{"colour":"red"}}]})", 1, 0, 0},
        Compliant{"single_edge", R"({"incidences":[],"edges":[{"edge":"e"}]})", 0, 1, 0},
        Compliant{"single_edge_with_attrs",
                  R"({"incidences":[],"edges":[{"edge":"e","attrs":{"since":1990}}]})", 0, 1, 0},
        Compliant{"single_incidence", R"({"incidences":[{"edge":"e","node":7}]})", 1, 1, 1},
        Compliant{"single_incidence_with_weights", R"({"incidences":[{"edge":"e","node":7,"weight":-2}]})", 1,
                  1, 1},
        Compliant{"single_incidence_with_attrs",
                  R"({"incidences":[{"edge":"e","node":7,"attrs":{"role":"host"}}]})", 1, 1, 1},
        Compliant{"duplicated_nodes_edges",
                  R"({"incidences":[],"nodes":[{"node":1},{"node":1}],"edges":[{"edge":2},{"edge":2}]})", 1,
                  1, 0},
        Compliant{"valid_incidence_head",
                  R"({"network-type":"directed","incidences":[{"edge":"e","node":7,"direction":"head"}]})", 1,
                  1, 1},
        Compliant{"valid_incidence_tail",
                  R"({"network-type":"directed","incidences":[{"edge":"e","node":7,"direction":"tail"}]})", 1,
                  1, 1},
        Compliant{"missing_direction", R"({"network-type":"directed","incidences":[{"edge":"e","node":7}]})",
                  1, 1, 1}),
    [](const auto& one) { return one.param.name; });

struct NonCompliant {
  const char* name;
  const char* text;
  const char* pointer;      // of the violation
  std::int64_t offset;      // of the violation
  const char* what;         // part of its message
  const char* load_remark;  // part of the refusal, or of the warning where the liberal reader takes it
  bool loads;
};

std::ostream& operator<<(std::ostream& out, const NonCompliant& c) {
  return out << c.name;
}

class HifNonCompliant : public testing::TestWithParam<NonCompliant> {};

TEST_P(HifNonCompliant, ValidateSaysWhere) {
  const NonCompliant& c = GetParam();

  const auto found = violations(c.text);

  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].pointer, c.pointer);
  EXPECT_EQ(found[0].offset, c.offset);
  EXPECT_THAT(found[0].message, testing::HasSubstr(c.what));
}

TEST_P(HifNonCompliant, LoadRefusesOrWarns) {
  const NonCompliant& c = GetParam();
  if (!c.loads) {
    EXPECT_THAT(refusal(c.text),
                testing::AllOf(testing::StartsWith("test.json: byte "), testing::HasSubstr(c.load_remark)));
    return;
  }
  EXPECT_THAT(load_text(c.text).warnings, testing::Contains(testing::HasSubstr(c.load_remark)));
}

INSTANTIATE_TEST_SUITE_P(
    Suite, HifNonCompliant,
    testing::Values(
        NonCompliant{"empty", "{}", "", 0, "'incidences' is missing", "no 'incidences'", false},
        NonCompliant{"bad_top_level_field", R"({"incidences":[],"colour":1})", "/colour", 17, "unknown key",
                     "unknown key 'colour' of the document ignored", true},
        NonCompliant{"bad_network_type", R"({"incidences":[],"network-type":"mixed"})", "/network-type", 32,
                     "expected undirected, directed or asc, got 'mixed'", "network-type is 'mixed'", false},
        NonCompliant{"metadata_as_list", R"({"incidences":[],"metadata":[]})", "/metadata", 28,
                     "expected an object, got an array", "'metadata' to be an object, got an array", false},
        NonCompliant{"bad_node_without_id", R"({"incidences":[],"nodes":[{"weight":1}]})", "/nodes/0", 26,
                     "'node' is missing", "/nodes/0: the entry has no 'node'", false},
        NonCompliant{"bad_node_field", R"({"incidences":[],"nodes":[{"node":1,"size":2}]})", "/nodes/0/size",
                     36, "unknown key", "unknown key 'size' of nodes ignored (1 times)", true},
        NonCompliant{"bad_node_float", R"({"incidences":[],"nodes":[{"node":1.23}]})", "/nodes/0/node", 34,
                     "expected a string or an integer, got 1.23", "as id, got 1.23", false},
        NonCompliant{"bad_edge_without_id", R"({"incidences":[],"edges":[{}]})", "/edges/0", 26,
                     "'edge' is missing", "/edges/0: the entry has no 'edge'", false},
        NonCompliant{"bad_edge_field", R"({"incidences":[],"edges":[{"edge":1,"node":2}]})", "/edges/0/node",
                     36, "unknown key", "unknown key 'node' of edges ignored", true},
        NonCompliant{"bad_incidence_field", R"({"incidences":[{"edge":1,"node":2,"time":3}]})",
                     "/incidences/0/time", 34, "unknown key", "unknown key 'time' of incidences ignored",
                     true},
        NonCompliant{"single_incidence_with_weight_as_string",
                     R"({"incidences":[{"edge":1,"node":2,"weight":"3"}]})", "/incidences/0/weight", 43,
                     "expected a number, got a string", "the weight to be a number", false},
        NonCompliant{"single_incidence_with_direction_not_in_enum",
                     R"({"incidences":[{"edge":1,"node":2,"direction":"up"}]})", "/incidences/0/direction",
                     46, "expected head or tail, got 'up'", "direction is 'up'", false},
        NonCompliant{"missing_required_field_incidence", R"({"incidences":[{"node":2}]})", "/incidences/0",
                     15, "'edge' is missing", "/incidences/0: the incidence has no 'edge'", false},
        NonCompliant{"invalid_direction_value",
                     R"({"network-type":"directed","incidences":[{"edge":1,"node":2,"direction":1}]})",
                     "/incidences/0/direction", 72, "expected a string, got a number",
                     "the direction to be a string", false},
        NonCompliant{"missing_required_fields_with_direction",
                     R"({"network-type":"directed","incidences":[{"edge":1,"direction":"head"}]})",
                     "/incidences/0", 41, "'node' is missing", "the incidence has no 'node'", false},
        NonCompliant{
            "extra_fields_with_direction",
            R"({"network-type":"directed","incidences":[{"edge":1,"node":2,"direction":"head","x":[]}]})",
            "/incidences/0/x", 79, "unknown key", "unknown key 'x' of incidences ignored", true}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace dshn::io
