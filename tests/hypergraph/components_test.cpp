#include "dshn/hypergraph/components.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "dshn/hypergraph/expansions.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "hypergraph/any_hypergraph.hpp"
#include "hypergraph/support.hpp"

namespace dshn::test {
namespace {

using testing::ElementsAre;

TEST(Components, JoinMembersWhateverTheirRoles) {
  // {5, 1} -> {2}; {3, 2}; node 0 and node 4 are isolated.
  const Components c = connected_components(hypergraph_of(6, {{{5, 1}, {2}}, {{3, 2}}}));

  EXPECT_THAT(c.of_node, ElementsAre(0, 1, 1, 1, 2, 1));
  EXPECT_THAT(c.sizes, ElementsAre(1, 4, 1));
  EXPECT_EQ(c.count(), 3);
}

TEST(RoleComponents, KeepTailsAndHeadsApart) {
  const Components c = role_components(hypergraph_of(6, {{{5, 1}, {2}}, {{3, 2}}}));

  EXPECT_THAT(c.of_node, ElementsAre(0, 1, 2, 2, 3, 1));
  EXPECT_THAT(c.sizes, ElementsAre(1, 2, 2, 1));
}

TEST(RoleComponents, JoinUndirectedHyperedgesOfHeads) {
  EXPECT_EQ(role_components(hypergraph_of(3, {{{}, {0, 2}}})).count(), 2);
}

TEST(Components, OfNothingAreNone) {
  EXPECT_EQ(connected_components(Hypergraph()).count(), 0);
  EXPECT_EQ(role_components(Hypergraph(3, 0, {})).count(), 3);
}

TEST(RoleComponents, OfTheSyntheticBenchmarkAreItsClasses) {
  const LabelledHypergraph data = synthetic_benchmark({.inter = 50, .seed = 11});

  const Components c = role_components(data.hypergraph);

  EXPECT_EQ(connected_components(data.hypergraph).count(), 1);
  EXPECT_THAT(c.sizes, ElementsAre(100, 100, 100, 100, 100));
  EXPECT_EQ(c.of_node, data.labels);
}

/// Components as a partition, by walking from each node to all that can be reached.
std::set<std::set<Index>> reachable(Index nodes, const std::vector<std::vector<Index>>& groups) {
  std::set<std::set<Index>> parts;
  for (Index start = 0; start < nodes; ++start) {
    std::set<Index> part{start};
    for (std::size_t before = 0; before != part.size();) {
      before = part.size();
      for (const auto& group : groups) {
        if (std::any_of(group.begin(), group.end(), [&](Index v) { return part.contains(v); })) {
          part.insert(group.begin(), group.end());
        }
      }
    }
    parts.insert(part);
  }
  return parts;
}

std::set<std::set<Index>> partition_of(const Components& c) {
  std::map<Index, std::set<Index>> parts;
  for (std::size_t v = 0; v < c.of_node.size(); ++v) parts[c.of_node[v]].insert(static_cast<Index>(v));
  std::set<std::set<Index>> result;
  for (const auto& [id, part] : parts) {
    RC_ASSERT(static_cast<Index>(part.size()) == c.sizes[id]);
    result.insert(part);
  }
  return result;
}

RC_GTEST_PROP(ComponentsProperty, AreWhatCanBeReached, ()) {
  const Hypergraph h = any_hypergraph();
  std::vector<std::vector<Index>> plain;
  std::vector<std::vector<Index>> by_role;
  for (Index e = 0; e < h.edge_count(); ++e) {
    plain.push_back(to_vector(h.members(e)));
    by_role.push_back(to_vector(h.tail(e)));
    by_role.push_back(to_vector(h.head(e)));
  }

  RC_ASSERT(partition_of(connected_components(h)) == reachable(h.node_count(), plain));
  RC_ASSERT(partition_of(role_components(h)) == reachable(h.node_count(), by_role));
}

RC_GTEST_PROP(ComponentsProperty, DoNotDependOnTheNumbering, ()) {
  const Hypergraph h = any_hypergraph();
  const std::vector<Index> nodes = any_permutation(h.node_count());

  const Components c = role_components(h);
  const Components moved = role_components(permuted(h, nodes, any_permutation(h.edge_count())));

  RC_ASSERT(c.count() == moved.count());
  for (Index i = 0; i < h.node_count(); ++i) {
    for (Index j = 0; j < h.node_count(); ++j) {
      RC_ASSERT((moved.of_node[i] == moved.of_node[j]) == (c.of_node[nodes[i]] == c.of_node[nodes[j]]));
    }
  }
}

}  // namespace
}  // namespace dshn::test
