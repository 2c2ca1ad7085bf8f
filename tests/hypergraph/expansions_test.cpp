#include "dshn/hypergraph/expansions.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "dshn/hypergraph/transforms.hpp"
#include "hypergraph/any_hypergraph.hpp"
#include "hypergraph/support.hpp"

namespace dshn::test {
namespace {

using testing::ElementsAre;

/// {0, 1} -> {2} of weight 2 and {1, 2}, undirected. Node 3 is isolated.
Hypergraph example() {
  return hypergraph_of(4, {{{0, 1}, {2}}, {{1, 2}}}, {{2.0, 1.0}, {}, {}});
}

TEST(CliqueExpansion, JoinsMembersAndAddsWeightsUp) {
  const Graph graph = clique_expansion(example());

  EXPECT_EQ(graph.node_count(), 4);
  EXPECT_THAT(graph.ptr, ElementsAre(0, 2, 4, 6, 6));
  EXPECT_THAT(graph.targets, ElementsAre(1, 2, 0, 2, 0, 1));
  EXPECT_THAT(graph.weights, ElementsAre(2, 2, 2, 3, 2, 3));
}

TEST(StarExpansion, EntersByTailsAndLeavesByHeads) {
  const Graph graph = star_expansion(example());

  EXPECT_EQ(graph.node_count(), 6);
  EXPECT_THAT(graph.ptr, ElementsAre(0, 1, 3, 4, 4, 5, 7));
  EXPECT_THAT(graph.targets, ElementsAre(4, 4, 5, 5, 2, 1, 2));
  EXPECT_THAT(graph.weights, ElementsAre(2, 2, 1, 1, 2, 1, 1));
}

TEST(LineExpansion, JoinsIncidencesOfOneHyperedgeOrNode) {
  // Incidences: 0 = (0, 0), 1 = (0, 1), 2 = (0, 2), 3 = (1, 1), 4 = (1, 2).
  const Graph graph = line_expansion(example());

  EXPECT_EQ(graph.node_count(), 5);
  EXPECT_THAT(graph.ptr, ElementsAre(0, 2, 5, 8, 10, 12));
  EXPECT_THAT(graph.targets, ElementsAre(1, 2, 0, 2, 3, 0, 1, 4, 1, 4, 2, 3));
  EXPECT_THAT(graph.weights, ElementsAre(2, 2, 2, 2, 1, 2, 2, 1, 1, 1, 1, 1));
}

TEST(Expansions, OfNothingAreEmpty) {
  EXPECT_EQ(clique_expansion(Hypergraph()), Graph());
  EXPECT_EQ(star_expansion(Hypergraph()), Graph());
  EXPECT_EQ(line_expansion(Hypergraph()), Graph());
}

using Arcs = std::map<std::pair<Index, Index>, double>;

Arcs arcs_of(const Graph& graph) {
  Arcs arcs;
  for (Index v = 0; v < graph.node_count(); ++v) {
    for (Offset i = graph.ptr[v]; i < graph.ptr[v + 1]; ++i) arcs[{v, graph.targets[i]}] = graph.weights[i];
  }
  return arcs;
}

RC_GTEST_PROP(ExpansionsProperty, CliqueEqualsTheObviousPairs, ()) {
  const Hypergraph h = any_hypergraph();
  Arcs expected;
  for (Index e = 0; e < h.edge_count(); ++e) {
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
      for (Offset j = h.edge_ptr()[e]; j < h.edge_ptr()[e + 1]; ++j) {
        if (i == j) continue;
        expected[{h.member_nodes()[i], h.member_nodes()[j]}] +=
            h.weight(e) * h.incidence_weight(i) * h.incidence_weight(j);
      }
    }
  }

  const Graph graph = clique_expansion(h);

  RC_ASSERT(arcs_of(graph) == expected);
  RC_ASSERT(graph.arc_count() == static_cast<Offset>(expected.size()));
}

RC_GTEST_PROP(ExpansionsProperty, StarEqualsTheObviousArcs, ()) {
  const Hypergraph h = any_hypergraph();
  Arcs expected;
  for (Index e = 0; e < h.edge_count(); ++e) {
    const Index hub = h.node_count() + e;
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
      const Index v = h.member_nodes()[i];
      const double weight = h.weight(e) * h.incidence_weight(i);
      if (!h.is_directed(e) || h.role(e, i) == Role::tail) expected[{v, hub}] = weight;
      if (!h.is_directed(e) || h.role(e, i) == Role::head) expected[{hub, v}] = weight;
    }
  }

  RC_ASSERT(arcs_of(star_expansion(h)) == expected);
}

RC_GTEST_PROP(ExpansionsProperty, LineEqualsTheObviousPairs, ()) {
  const Hypergraph h = any_hypergraph();
  std::vector<Index> edge_of;
  for (Index e = 0; e < h.edge_count(); ++e) edge_of.insert(edge_of.end(), h.size(e), e);
  Arcs expected;
  for (Index i = 0; i < h.incidence_count(); ++i) {
    for (Index j = 0; j < h.incidence_count(); ++j) {
      if (i == j) continue;
      if (edge_of[i] == edge_of[j]) expected[{i, j}] = h.weight(edge_of[i]);
      if (h.member_nodes()[i] == h.member_nodes()[j]) expected[{i, j}] = 1.0;
    }
  }

  const Graph graph = line_expansion(h);

  RC_ASSERT(arcs_of(graph) == expected);
  for (Index v = 0; v < graph.node_count(); ++v) {
    RC_ASSERT(std::is_sorted(graph.targets.begin() + graph.ptr[v], graph.targets.begin() + graph.ptr[v + 1]));
  }
}

RC_GTEST_PROP(ExpansionsProperty, StarOfTheReversalTurnsTheArcsOfDirectedHyperedges, ()) {
  const Hypergraph h = any_hypergraph();
  Arcs turned;
  for (const auto& [arc, weight] : arcs_of(star_expansion(h))) turned[{arc.second, arc.first}] = weight;

  RC_ASSERT(arcs_of(star_expansion(reversed(h))) == turned);
}

}  // namespace
}  // namespace dshn::test
