#include "dshn/hypergraph/builder.hpp"

#include <gmock/gmock.h>

#include "hypergraph/any_hypergraph.hpp"
#include "hypergraph/support.hpp"

namespace dshn::test {
namespace {

using testing::ElementsAre;

Name text(const char* value) {
  return Name::string(value);
}

TEST(Builder, NumbersInTheOrderOfFirstMention) {
  HypergraphBuilder builder;
  builder.incidence(text("e"), text("b"), Role::head);
  builder.incidence(text("e"), text("a"));
  builder.node(text("c"));
  builder.incidence(text("f"), text("b"));

  const Hypergraph h = builder.build();

  EXPECT_EQ(h.node_names()[0], text("b"));
  EXPECT_EQ(h.node_names()[2], text("c"));
  EXPECT_EQ(h.edge_names()[1], text("f"));
  EXPECT_THAT(h.tail(0), ElementsAre(1));
  EXPECT_THAT(h.head(0), ElementsAre(0));
  EXPECT_EQ(h.degree(2), 0);
}

TEST(Builder, TellsAnIntegerFromItsText) {
  HypergraphBuilder builder;

  EXPECT_EQ(builder.node(Name::integer(1)), 0);
  EXPECT_EQ(builder.node(text("1")), 1);
  EXPECT_EQ(builder.node(Name::integer(1)), 0);
}

TEST(Builder, WeighsTheIncidenceThatWasAddedLast) {
  HypergraphBuilder builder;
  EXPECT_EQ(message_of<UsageError>([&] { builder.incidence_weight(2); }),
            "weight of an incidence, but there is none; add it first");
  builder.incidence(text("e"), text("b"));
  builder.incidence(text("e"), text("a"));
  builder.incidence_weight(2.5);
  builder.incidence(text("e"), text("c"));

  EXPECT_THAT(builder.build().incidence_weights(), ElementsAre(1, 2.5, 1));
  EXPECT_THAT(builder.build().incidence_weights(), testing::IsEmpty());
}

TEST(Builder, KeepsWeightsAndIsEmptyAfterwards) {
  HypergraphBuilder builder;
  builder.incidence(text("e"), text("a"));
  builder.weight(builder.edge(text("f")), 4.0);

  const Hypergraph h = builder.build();

  EXPECT_THAT(h.edge_weights(), ElementsAre(1.0, 4.0));
  EXPECT_EQ(builder.node_count() + builder.edge_count() + builder.incidence_count(), 0);
  EXPECT_EQ(builder.build(), Hypergraph());
}

TEST(Builder, ReordersNodesAndHyperedges) {
  HypergraphBuilder builder;
  builder.incidence(text("e"), text("a"));
  builder.incidence(text("f"), text("b"), Role::head);
  builder.weight(0, 2.0);
  builder.reorder_nodes({1, 0});
  builder.reorder_edges({1, 0});
  builder.incidence(text("e"), text("b"), Role::head);

  const Hypergraph h = builder.build();

  EXPECT_EQ(h.node_names()[0], text("b"));
  EXPECT_EQ(h.edge_names()[0], text("f"));
  EXPECT_THAT(h.edge_weights(), ElementsAre(1.0, 2.0));
  EXPECT_THAT(h.head(0), ElementsAre(0));
  EXPECT_THAT(h.tail(1), ElementsAre(1));
  EXPECT_THAT(h.head(1), ElementsAre(0));
}

TEST(BuilderErrors, ReportRepeatedMembersByName) {
  HypergraphBuilder builder;
  builder.incidence(text("mail 7"), text("ann"), Role::tail);
  builder.incidence(text("mail 7"), text("ann"), Role::head);

  EXPECT_EQ(message_of<InvalidInput>([&] { builder.build(); }),
            "hyperedge 'mail 7': node 'ann' is both tail and head; a node may appear once in a hyperedge");
}

TEST(BuilderErrors, RefuseUnknownNumbers) {
  HypergraphBuilder builder;
  builder.incidence(text("e"), text("a"));

  EXPECT_EQ(message_of<UsageError>([&] { builder.weight(1, 2.0); }),
            "weight of hyperedge 1, but there are 1 hyperedges; name it first");
  EXPECT_EQ(message_of<UsageError>([&] { builder.incidence(0, 1); }),
            "incidence of hyperedge 0 and node 1, but there are 1 hyperedges and 1 nodes; name them first");
  EXPECT_EQ(message_of<UsageError>([&] { builder.incidence(-1, 0); }),
            "incidence of hyperedge -1 and node 0, but there are 1 hyperedges and 1 nodes; name them first");
}

TEST(BuilderErrors, RefuseOrdersThatAreNoPermutations) {
  HypergraphBuilder builder;
  builder.node(text("a"));
  builder.node(text("b"));

  EXPECT_EQ(message_of<UsageError>([&] { builder.reorder_nodes({0}); }),
            "the new order lists 1 nodes of 2; expected each of them once");
  EXPECT_EQ(message_of<UsageError>([&] {
              builder.reorder_nodes({0, 0});
            }),
            "the new order of 2 nodes is not a permutation: 0 at position 1 is repeated");
  EXPECT_EQ(message_of<UsageError>([&] {
              builder.reorder_nodes({0, 2});
            }),
            "the new order of 2 nodes is not a permutation: 2 at position 1 is out of range");
}

RC_GTEST_PROP(BuilderProperty, EqualsTheBulkConstructor, ()) {
  const RawIncidences raw = any_incidences();
  HypergraphBuilder builder;
  for (Index v = 0; v < raw.nodes; ++v) builder.node(Name::integer(v));
  for (Index e = 0; e < raw.edges; ++e) builder.edge(Name::integer(e));
  for (std::size_t i = 0; i < raw.edge.size(); ++i) {
    builder.incidence(Name::integer(raw.edge[i]), Name::integer(raw.node[i]), raw.role[i]);
  }

  const Hypergraph built = builder.build(OnConflict::keep_tail);

  RC_ASSERT(built == Hypergraph(raw.nodes, raw.edges, raw.arrays(), OnConflict::keep_tail));
  RC_ASSERT(built.node_names().implicit());
}

TEST(Names, AreImplicitWhenTheyAreTheirOwnNumbers) {
  EXPECT_TRUE(Names({Name::integer(0), Name::integer(1)}).implicit());
  EXPECT_FALSE(Names({Name::integer(1), Name::integer(0)}).implicit());
  EXPECT_FALSE(Names({text("0")}).implicit());
  EXPECT_EQ(Names()[41], Name::integer(41));
}

TEST(Names, ReadAsTheyWereGiven) {
  const Names names({text("a b"), Name::integer(-7), text("")});

  EXPECT_EQ(names.size(), 3);
  EXPECT_EQ(names[1], Name::integer(-7));
  EXPECT_EQ(names.quoted(0), "'a b'");
  EXPECT_EQ(names.quoted(1), "-7");
  EXPECT_EQ(names.quoted(2), "''");
  EXPECT_EQ(names.subset({2, 0}), Names({text(""), text("a b")}));
  EXPECT_EQ(Names().subset({2}), Names({Name::integer(2)}));
  EXPECT_TRUE(Names({text("x"), Name::integer(0)}).subset({1}).implicit());
}

}  // namespace
}  // namespace dshn::test
