#include "dshn/hypergraph/transforms.hpp"

#include <gmock/gmock.h>

#include <set>

#include "hypergraph/any_hypergraph.hpp"
#include "hypergraph/support.hpp"

namespace dshn::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Names named(const std::vector<std::string>& texts) {
  std::vector<Name> names;
  names.reserve(texts.size());
  for (const std::string& text : texts) names.push_back(Name::string(text));
  return Names(names);
}

/// 'x': {a, b} -> {c}, weight 2; 'y': {b, d}, undirected; 'z': {d} alone. Node 'e' is isolated.
Hypergraph named_example() {
  return hypergraph_of(5, {{{0, 1}, {2}}, {{1, 3}}, {{3}}},
                       {{2.0, 1.0, 0.5}, named({"a", "b", "c", "d", "e"}), named({"x", "y", "z"})});
}

Hypergraph from_arcs(Index nodes, const std::vector<Index>& column0, const std::vector<Index>& column1,
                     bool column0_is_tail = true) {
  return from_directed_graph(nodes, {column0, column1, column0_is_tail});
}

TEST(FromDirectedGraph, GivesOneHyperedgePerNodeWithOutgoingArcs) {
  // The example of the paper's figure: 1 -> 2, 1 -> 3, 1 -> 4; and 4 -> 0, so that the order is by tail.
  const Hypergraph h = from_arcs(5, {4, 1, 1, 1}, {0, 4, 2, 3});

  EXPECT_EQ(h, hypergraph_of(5, {{{1}, {2, 3, 4}}, {{4}, {0}}}));
}

TEST(FromDirectedGraph, MergesRepeatedArcs) {
  EXPECT_EQ(from_arcs(3, {0, 0, 0}, {2, 2, 1}), hypergraph_of(3, {{{0}, {1, 2}}}));
}

TEST(FromDirectedGraph, CountsALonelySelfLoopButAddsNothingForOthers) {
  EXPECT_EQ(from_arcs(3, {0, 0, 1, 1}, {0, 2, 1, 1}), hypergraph_of(3, {{{0}, {2}}, {{1}}}));
}

TEST(FromDirectedGraph, GivesWeightsOfArcsToTheirHeads) {
  const std::vector<Index> from{0, 0, 0, 1, 2, 2};
  const std::vector<Index> to{1, 2, 1, 1, 2, 0};
  const std::vector<double> weight{1, 6, 3, 5, 9, 2};

  const Hypergraph h = from_directed_graph(3, {from, to, true, weight});

  // 0 -> 1 twice, 1 + 3, and 0 -> 2; a lonely self-loop of weight 5; 2 -> 0, whose self-loop adds nothing.
  EXPECT_THAT(h.member_nodes(), ElementsAre(0, 1, 2, 1, 2, 0));
  EXPECT_THAT(h.incidence_weights(), ElementsAre(5, 4, 6, 5, 2, 2));
  const std::vector<double> ones(6, 1.0);
  const std::vector<Index> once{0, 0, 1};
  const std::vector<Index> other{1, 2, 1};
  EXPECT_EQ(from_directed_graph(3, {once, other, true, std::span(ones).first(3)}),
            from_directed_graph(3, {once, other}));
  EXPECT_EQ(message_of<InvalidInput>([&] {
              from_directed_graph(3, {once, other, true, ones});
            }),
            "6 weights for 3 arcs; give one each, or none");
}

TEST(WithSelfLoops, GivesThemTheWeightOne) {
  const std::vector<Index> edge{0, 0};
  const std::vector<Index> node{0, 1};
  const std::vector<double> weight{2, 3};

  const Hypergraph h = with_self_loops(Hypergraph(2, 1, {edge, node, {}, weight}));

  EXPECT_THAT(h.incidence_weights(), ElementsAre(2, 3, 1, 1));
}

TEST(FromDirectedGraph, MayReadTheTailFromColumn1) {
  EXPECT_EQ(from_arcs(3, {2, 1}, {0, 0}, false), hypergraph_of(3, {{{0}, {1, 2}}}));
}

TEST(FromDirectedGraph, KeepsTheNamesOfNodes) {
  const std::vector<Index> from{0};
  const std::vector<Index> to{1};

  const Hypergraph h = from_directed_graph(2, {from, to}, named({"p", "q"}));

  EXPECT_EQ(h.node_names(), named({"p", "q"}));
  EXPECT_TRUE(h.edge_names().implicit());
}

TEST(FromDirectedGraph, RefusesWhatDoesNotFit) {
  EXPECT_EQ(message_of<InvalidInput>([] {
              from_arcs(2, {0, 1}, {0});
            }),
            "arc columns differ in length: 2 and 1 node ids; give two per arc");
  EXPECT_EQ(message_of<InvalidInput>([] {
              from_arcs(2, {0, 1}, {0, 2});
            }),
            "arc 1: node id 2 is out of range; expected 0..1");
  EXPECT_EQ(message_of<InvalidInput>([] { from_arcs(2, {-1}, {0}); }),
            "arc 0: node id -1 is out of range; expected 0..1");
  EXPECT_EQ(message_of<InvalidInput>([] { from_arcs(0, {0}, {0}); }),
            "arc 0: node id 0 is out of range; there are no nodes");
}

RC_GTEST_PROP(FromDirectedGraphProperty, HasTheOutNeighbourhoods, ()) {
  const auto nodes = *rc::gen::inRange<Index>(1, 10);
  const auto arcs = *rc::gen::container<std::vector<std::pair<Index, Index>>>(
      rc::gen::pair(rc::gen::inRange<Index>(0, nodes), rc::gen::inRange<Index>(0, nodes)));
  std::vector<Index> from;
  std::vector<Index> to;
  std::vector<std::set<Index>> heads(nodes);
  std::set<Index> tails;
  for (const auto& [u, v] : arcs) {
    from.push_back(u);
    to.push_back(v);
    tails.insert(u);
    if (u != v) heads[u].insert(v);
  }

  const Hypergraph h = from_arcs(nodes, from, to);

  RC_ASSERT(h.edge_count() == static_cast<Index>(tails.size()));
  Index e = 0;
  for (const Index v : tails) {
    RC_ASSERT(to_vector(h.tail(e)) == std::vector<Index>{v});
    RC_ASSERT(to_vector(h.head(e)) == std::vector<Index>(heads[v].begin(), heads[v].end()));
    ++e;
  }
}

TEST(Reversed, SwapsTheRolesOfDirectedHyperedgesOnly) {
  const Hypergraph h = reversed(named_example());

  EXPECT_THAT(h.tail(0), ElementsAre(2));
  EXPECT_THAT(h.head(0), ElementsAre(0, 1));
  EXPECT_THAT(h.tail(1), ElementsAre(1, 3));
  EXPECT_THAT(h.head(1), IsEmpty());
  EXPECT_EQ(h.node_names(), named_example().node_names());
  EXPECT_EQ(h.edge_names(), named_example().edge_names());
  EXPECT_THAT(h.edge_weights(), ElementsAre(2.0, 1.0, 0.5));
}

RC_GTEST_PROP(ReversedProperty, TwiceIsTheIdentity, ()) {
  const Hypergraph h = any_hypergraph();

  RC_ASSERT(reversed(reversed(h)) == h);
}

TEST(WithoutDirection, MakesEveryMemberATail) {
  const Hypergraph h = without_direction(named_example());

  EXPECT_THAT(h.tail(0), ElementsAre(0, 1, 2));
  EXPECT_FALSE(h.has_directed_edges());
  EXPECT_EQ(h.edge_names(), named_example().edge_names());
  EXPECT_EQ(h.weight(0), 2.0);
}

RC_GTEST_PROP(WithoutDirectionProperty, ForgetsAReversal, ()) {
  const Hypergraph h = any_hypergraph();

  RC_ASSERT(without_direction(reversed(h)) == without_direction(h));
  RC_ASSERT(without_direction(without_direction(h)) == without_direction(h));
}

TEST(WithoutIncidences, KeepsNodesAndHyperedges) {
  const Hypergraph h = named_example();
  const std::vector<Offset> heads_of_x_and_all_of_z{2, 5};

  const Hypergraph less = without_incidences(h, heads_of_x_and_all_of_z);

  EXPECT_EQ(less, hypergraph_of(5, {{{0, 1}}, {{1, 3}}, {{}}},
                                {{2.0, 1.0, 0.5}, named({"a", "b", "c", "d", "e"}), named({"x", "y", "z"})}));
}

TEST(WithoutIncidences, OfNoneIsTheSame) {
  EXPECT_EQ(without_incidences(named_example(), {}), named_example());
}

TEST(TurnedAt, TurnsTheRolesOfTheseAlone) {
  const std::vector<Offset> a_in_x_and_b_in_y{0, 3};

  const Hypergraph other = turned_at(named_example(), a_in_x_and_b_in_y);

  EXPECT_EQ(other,
            hypergraph_of(5, {{{1}, {0, 2}}, {{3}, {1}}, {{3}}},
                          {{2.0, 1.0, 0.5}, named({"a", "b", "c", "d", "e"}), named({"x", "y", "z"})}));
}

TEST(TurnedAt, RefusesAnIncidenceThatIsNotThere) {
  const std::vector<Offset> beyond{6};
  EXPECT_THROW(turned_at(named_example(), beyond), UsageError);
  EXPECT_THROW(without_incidences(named_example(), beyond), UsageError);
}

TEST(WithSelfLoops, AddsSingletonsWhereThereAreNone) {
  const Hypergraph h = with_self_loops(named_example());

  EXPECT_EQ(h.edge_count(), 7);  // 'd' has its own already
  EXPECT_THAT(h.tail(3), ElementsAre(0));
  EXPECT_THAT(h.tail(6), ElementsAre(4));
  EXPECT_THAT(h.edge_weights(), ElementsAre(2.0, 1.0, 0.5, 1.0, 1.0, 1.0, 1.0));
  EXPECT_EQ(h.edge_names(),
            named({"x", "y", "z", "self-loop a", "self-loop b", "self-loop c", "self-loop e"}));
}

TEST(WithSelfLoops, NeverRepeatsAName) {
  const Hypergraph h = hypergraph_of(1, {{{}}}, {{}, {}, named({"self-loop 0"})});

  EXPECT_EQ(with_self_loops(h).edge_names(), named({"self-loop 0", "self-loop 0+"}));
}

RC_GTEST_PROP(WithSelfLoopsProperty, TwiceIsOnce, ()) {
  const Hypergraph h = any_hypergraph();

  const Hypergraph looped = with_self_loops(h);

  RC_ASSERT(with_self_loops(looped) == looped);
  for (Index v = 0; v < h.node_count(); ++v) {
    const auto edges = looped.edges_of(v);
    RC_ASSERT(std::any_of(edges.begin(), edges.end(), [&](Index e) { return looped.size(e) == 1; }));
  }
}

TEST(Permuted, RenumbersNodesAndHyperedges) {
  const Hypergraph h =
      permuted(named_example(), std::vector<Index>{4, 3, 2, 1, 0}, std::vector<Index>{1, 2, 0});

  EXPECT_EQ(h, hypergraph_of(5, {{{3, 1}}, {{1}}, {{4, 3}, {2}}},
                             {{1.0, 0.5, 2.0}, named({"e", "d", "c", "b", "a"}), named({"y", "z", "x"})}));
}

TEST(Permuted, RefusesWhatIsNoPermutation) {
  EXPECT_EQ(message_of<UsageError>([] {
              permuted(named_example(), std::vector<Index>{0, 1, 2, 3, 3}, std::vector<Index>{0, 1, 2});
            }),
            "the new order of 5 nodes is not a permutation: 3 at position 4 is repeated");
  EXPECT_EQ(message_of<UsageError>([] {
              permuted(named_example(), std::vector<Index>{0, 1, 2, 3, 4}, std::vector<Index>{0, 1});
            }),
            "the new order lists 2 hyperedges of 3; expected each of them once");
}

RC_GTEST_PROP(PermutedProperty, BackAgainIsTheIdentity, ()) {
  const Hypergraph h = any_hypergraph();
  const std::vector<Index> nodes = any_permutation(h.node_count());
  const std::vector<Index> edges = any_permutation(h.edge_count());
  std::vector<Index> nodes_back(nodes.size());
  std::vector<Index> edges_back(edges.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes_back[nodes[i]] = static_cast<Index>(i);
  for (std::size_t i = 0; i < edges.size(); ++i) edges_back[edges[i]] = static_cast<Index>(i);

  RC_ASSERT(permuted(permuted(h, nodes, edges), nodes_back, edges_back) == h);
}

TEST(Induced, ShrinksHyperedgesAndDropsTheEmpty) {
  const SubHypergraph part = induced(named_example(), std::vector<Index>{1, 0});

  EXPECT_EQ(part.hypergraph,
            hypergraph_of(2, {{{0, 1}}, {{0}}}, {{2.0, 1.0}, named({"b", "a"}), named({"x", "y"})}));
  EXPECT_THAT(part.nodes, ElementsAre(1, 0));
  EXPECT_THAT(part.edges, ElementsAre(0, 1));
  EXPECT_THAT(part.new_node, ElementsAre(1, 0, -1, -1, -1));
  EXPECT_THAT(part.new_edge, ElementsAre(0, 1, -1));
}

TEST(Induced, KeepsOnlyWholeHyperedgesOnDemand) {
  const SubHypergraph part = induced(named_example(), std::vector<Index>{1, 2, 3}, KeepEdges::whole);

  EXPECT_THAT(part.edges, ElementsAre(1, 2));
  EXPECT_THAT(part.hypergraph.members(0), ElementsAre(0, 2));
}

TEST(Induced, KeepsEmptyHyperedgesOnDemand) {
  const SubHypergraph part = induced(named_example(), std::vector<Index>{2}, KeepEdges::all);

  EXPECT_THAT(part.edges, ElementsAre(0, 1, 2));
  EXPECT_THAT(part.hypergraph.head(0), ElementsAre(0));
  EXPECT_EQ(part.hypergraph.size(1), 0);
}

TEST(Induced, NamesImplicitItemsByTheirOldNumbers) {
  const SubHypergraph part = induced(hypergraph_of(3, {{{0}}, {{1, 2}}}), std::vector<Index>{2});

  EXPECT_EQ(part.hypergraph.node_names()[0], Name::integer(2));
  EXPECT_EQ(part.hypergraph.edge_names()[0], Name::integer(1));
}

TEST(Induced, RefusesWhatDoesNotFit) {
  EXPECT_EQ(message_of<UsageError>([] {
              induced(named_example(), std::vector<Index>{0, 5});
            }),
            "chosen node 1: id 5 is out of range; expected 0..4");
  EXPECT_EQ(message_of<UsageError>([] { induced(named_example(), std::vector<Index>{-1}); }),
            "chosen node 0: id -1 is out of range; expected 0..4");
  EXPECT_EQ(message_of<UsageError>([] {
              induced(named_example(), std::vector<Index>{3, 0, 3});
            }),
            "node 'd' is chosen twice, at positions 0 and 2; expected distinct nodes");
}

RC_GTEST_PROP(InducedProperty, OnAllNodesIsTheHypergraph, ()) {
  const Hypergraph h = any_hypergraph();
  std::vector<Index> all(h.node_count());
  for (Index v = 0; v < h.node_count(); ++v) all[v] = v;

  RC_ASSERT(induced(h, all, KeepEdges::all).hypergraph == h);
  RC_ASSERT(induced(h, all, KeepEdges::whole).hypergraph == h);
}

TEST(WithoutIsolatedNodes, MapsOldNodesToNew) {
  const SubHypergraph part = without_isolated_nodes(hypergraph_of(4, {{{1}, {3}}, {{}}}));

  EXPECT_EQ(part.hypergraph.node_count(), 2);
  EXPECT_EQ(part.hypergraph.edge_count(), 2);
  EXPECT_THAT(part.hypergraph.head(0), ElementsAre(1));
  EXPECT_THAT(part.nodes, ElementsAre(1, 3));
  EXPECT_THAT(part.new_node, ElementsAre(-1, 0, -1, 1));
}

TEST(WithItems, AddsThemBehindTheOthers) {
  const Hypergraph h = named_example();
  const std::vector<Name> nodes{Name::string("f"), Name::integer(6)};
  const std::vector<Name> edges{Name::string("w")};

  const Hypergraph more = with_items(h, nodes, edges);

  EXPECT_EQ(more.node_count(), 7);
  EXPECT_EQ(more.node_names()[6], Name::integer(6));
  EXPECT_EQ(more.degree(5), 0);
  EXPECT_EQ(more.edge_names()[3], Name::string("w"));
  EXPECT_EQ(more.size(3), 0);
  EXPECT_THAT(more.edge_weights(), ElementsAre(2.0, 1.0, 0.5, 1.0));
  EXPECT_THAT(more.head(0), ElementsAre(2));
  EXPECT_EQ(with_items(h, {}, {}), h);
  EXPECT_THAT(with_items(h, {}, {}, {3, 4, 5}).edge_weights(), ElementsAre(3.0, 4.0, 5.0));
  EXPECT_THROW(with_items(h, {}, edges, {3, 4, 5}), InvalidInput);
}

}  // namespace
}  // namespace dshn::test
