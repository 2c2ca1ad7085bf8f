#include "dshn/hypergraph/hypergraph.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>

#include "dshn/base/random.hpp"
#include "hypergraph/any_hypergraph.hpp"
#include "hypergraph/support.hpp"

namespace dshn::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Role kT = Role::tail;
constexpr Role kH = Role::head;

/// Hyperedge 0: {3, 1} -> {0}; hyperedge 1: empty; hyperedge 2: {1, 2}, undirected. Node 4 is isolated.
Hypergraph small() {
  const std::vector<Index> edge{2, 0, 0, 2, 0};
  const std::vector<Index> node{2, 3, 0, 1, 1};
  const std::vector<Role> role{kT, kT, kH, kT, kT};
  return {5, 3, {edge, node, role}};
}

std::string error_of(Index nodes, Index edges, const std::vector<Index>& edge, const std::vector<Index>& node,
                     const std::vector<Role>& role = {}, const HypergraphExtras& extras = {}) {
  return message_of<InvalidInput>([&] {
    const Hypergraph built(nodes, edges, {edge, node, role}, OnConflict::error, extras);
  });
}

TEST(Hypergraph, KnowsBothViewsOfASmallCase) {
  const Hypergraph h = small();

  EXPECT_EQ(h.node_count(), 5);
  EXPECT_EQ(h.edge_count(), 3);
  EXPECT_EQ(h.incidence_count(), 5);
  EXPECT_THAT(h.edge_ptr(), ElementsAre(0, 3, 3, 5));
  EXPECT_THAT(h.head_begin(), ElementsAre(2, 3, 5));
  EXPECT_THAT(h.member_nodes(), ElementsAre(1, 3, 0, 1, 2));
  EXPECT_THAT(h.node_ptr(), ElementsAre(0, 1, 3, 4, 5, 5));
  EXPECT_THAT(h.node_head_begin(), ElementsAre(0, 3, 4, 5, 5));
  EXPECT_THAT(h.node_edges(), ElementsAre(0, 0, 2, 2, 0));
  EXPECT_THAT(h.node_incidences(), ElementsAre(2, 0, 3, 4, 1));
}

TEST(Hypergraph, AnswersAboutOneHyperedgeOrNode) {
  const Hypergraph h = small();

  EXPECT_THAT(h.members(0), ElementsAre(1, 3, 0));
  EXPECT_THAT(h.tail(0), ElementsAre(1, 3));
  EXPECT_THAT(h.head(0), ElementsAre(0));
  EXPECT_THAT(h.members(1), IsEmpty());
  EXPECT_THAT(h.head(2), IsEmpty());
  EXPECT_THAT(h.edges_of(1), ElementsAre(0, 2));
  EXPECT_THAT(h.edges_of(4), IsEmpty());
  EXPECT_EQ(h.size(0), 3);
  EXPECT_EQ(h.degree(1), 2);
  EXPECT_TRUE(h.is_directed(0));
  EXPECT_FALSE(h.is_directed(1));
  EXPECT_FALSE(h.is_directed(2));
  EXPECT_TRUE(h.has_directed_edges());
  EXPECT_EQ(h.role(0, 1), kT);
  EXPECT_EQ(h.role(0, 2), kH);
}

TEST(Hypergraph, WithoutTailsIsUndirectedToo) {
  const Hypergraph h = hypergraph_of(2, {{{}, {0, 1}}});

  EXPECT_FALSE(h.is_directed(0));
  EXPECT_FALSE(h.has_directed_edges());
  EXPECT_THAT(h.head(0), ElementsAre(0, 1));
}

TEST(Hypergraph, MayBeEmpty) {
  EXPECT_EQ(Hypergraph(0, 0, {}), Hypergraph());
  EXPECT_EQ(Hypergraph().node_count(), 0);
  EXPECT_EQ(Hypergraph(3, 2, {}).incidence_count(), 0);
  EXPECT_EQ(Hypergraph(3, 2, {}).degree(2), 0);
}

TEST(Hypergraph, TakesMembersWithoutRolesAsTails) {
  const std::vector<Index> edge{0, 0};
  const std::vector<Index> node{1, 0};

  const Hypergraph h(2, 1, {edge, node, {}});

  EXPECT_THAT(h.tail(0), ElementsAre(0, 1));
}

TEST(Hypergraph, CountsTheBytesOfItsArrays) {
  // edge_ptr 4, head_begin 3, node_ptr 6, node_head_begin 5, node_incidences 5 offsets; member_nodes 5,
  // node_edges 5 ids.
  EXPECT_EQ(small().memory_bytes(), (4 + 3 + 6 + 5 + 5) * 8 + (5 + 5) * 4);
}

TEST(Hypergraph, ListsAHyperedgeWhereTheNodeIsTailFirst) {
  const Hypergraph h = hypergraph_of(2, {{{1}, {0}}, {{0}, {1}}, {{1}, {0}}, {{0, 1}}});

  EXPECT_THAT(h.edges_of(0), ElementsAre(1, 3, 0, 2));
  EXPECT_THAT(h.edges_of(1), ElementsAre(0, 2, 3, 1));
  EXPECT_THAT(h.node_head_begin(), ElementsAre(2, 7));
  EXPECT_THAT(h.node_incidences(), ElementsAre(2, 6, 1, 5, 0, 4, 7, 3));
}

TEST(Hypergraph, SharesItsMemoryWithItsCopies) {
  auto original = std::make_unique<Hypergraph>(small());
  const Hypergraph copy = *original;
  EXPECT_EQ(copy.member_nodes().data(), original->member_nodes().data());
  EXPECT_EQ(copy.owner(), original->owner());

  // NOLINTNEXTLINE(performance-move-const-arg): whether a move takes anything is what is tested
  const Hypergraph taken = std::move(*original);
  // NOLINTNEXTLINE(bugprone-use-after-move)
  EXPECT_EQ(*original, small()) << "what was moved from stays whole";
  original.reset();

  EXPECT_EQ(taken, small());
  EXPECT_NE(taken.member_nodes().data(), small().member_nodes().data());
}

TEST(Hypergraph, KeepsWeightsOfIncidencesInTheOrderOfItsMembers) {
  const std::vector<Index> edge{1, 0, 0, 1};
  const std::vector<Index> node{2, 2, 0, 1};
  const std::vector<Role> role{Role::head, Role::tail, Role::head, Role::tail};
  const std::vector<double> weight{0.5, 2, 3, 1};

  const Hypergraph h(3, 2, {edge, node, role, weight});

  EXPECT_THAT(h.member_nodes(), ElementsAre(2, 0, 1, 2));
  EXPECT_THAT(h.incidence_weights(), ElementsAre(2, 3, 1, 0.5));
  EXPECT_EQ(h.incidence_weight(1), 3);
  EXPECT_EQ(h.total_weight(0), 5);
  const Hypergraph plain(3, 2, {edge, node, role});
  EXPECT_NE(h, plain);
  EXPECT_EQ(plain.total_weight(0), 2);
  EXPECT_EQ(h.memory_bytes(), plain.memory_bytes() + 4 * sizeof(double));
}

TEST(Hypergraph, ForgetsWeightsOfIncidencesThatAreAllOne) {
  const std::vector<Index> edge{0, 0};
  const std::vector<Index> node{0, 1};
  const std::vector<double> weight{1, 1};

  const Hypergraph h(2, 1, {edge, node, {}, weight});

  EXPECT_FALSE(h.has_incidence_weights());
  EXPECT_EQ(h.incidence_weight(0), 1.0);
  EXPECT_EQ(h, Hypergraph(2, 1, {edge, node, {}}));
}

TEST(Hypergraph, AddsUpWeightsOfListingsThatItMerges) {
  const std::vector<Index> edge{0, 0, 0, 0};
  const std::vector<Index> node{0, 1, 0, 0};
  const std::vector<Role> role{Role::tail, Role::tail, Role::head, Role::tail};
  const std::vector<double> weight{2, 1, 10, 0.5};

  EXPECT_THAT(Hypergraph(2, 1, {edge, node, role, weight}, OnConflict::keep_tail).incidence_weights(),
              ElementsAre(2.5, 1));
  EXPECT_THAT(Hypergraph(2, 1, {edge, node, role, weight}, OnConflict::keep_head).incidence_weights(),
              ElementsAre(1, 10));
}

TEST(Hypergraph, ForgetsWeightsThatAreAllOne) {
  const Hypergraph plain = hypergraph_of(2, {{{0}}, {{1}}});

  EXPECT_EQ(hypergraph_of(2, {{{0}}, {{1}}}, {{1.0, 1.0}, {}, {}}), plain);
  EXPECT_FALSE(plain.weighted());
  EXPECT_EQ(plain.weight(1), 1.0);
  const Hypergraph heavy = hypergraph_of(2, {{{0}}, {{1}}}, {{1.0, 2.5}, {}, {}});
  EXPECT_TRUE(heavy.weighted());
  EXPECT_EQ(heavy.weight(1), 2.5);
  EXPECT_NE(heavy, plain);
}

// One hyperedge with every kind of repetition: 0 twice as tail, 1 in both roles, 2 twice as head, 3 twice in
// each role, 4 once.
class Repetitions : public testing::Test {
 protected:
  const std::vector<Index> node_{2, 3, 1, 0, 4, 3, 1, 2, 0, 3, 3};
  const std::vector<Role> role_{kH, kT, kT, kT, kT, kH, kH, kH, kT, kT, kH};
  const std::vector<Index> edge_ = std::vector<Index>(11, 0);
};

TEST_F(Repetitions, KeepTail) {
  const Hypergraph h(5, 1, {edge_, node_, role_}, OnConflict::keep_tail);

  EXPECT_THAT(h.tail(0), ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(h.head(0), ElementsAre(2));
}

TEST_F(Repetitions, KeepHead) {
  const Hypergraph h(5, 1, {edge_, node_, role_}, OnConflict::keep_head);

  EXPECT_THAT(h.tail(0), ElementsAre(0, 4));
  EXPECT_THAT(h.head(0), ElementsAre(1, 2, 3));
}

TEST_F(Repetitions, Error) {
  EXPECT_EQ(error_of(5, 1, edge_, node_, role_),
            "hyperedge 0: node 0 is listed twice; a node may appear once in a hyperedge");
}

TEST(HypergraphErrors, NameTheFirstHyperedgeInConflict) {
  const HypergraphExtras extras{{},
                                Names({Name::string("ann"), Name::string("bob")}),
                                Names({Name::string("x"), Name::string("y"), Name::string("z")})};

  EXPECT_EQ(error_of(2, 3, {2, 2, 0, 1, 1}, {0, 0, 0, 1, 1}, {kT, kT, kT, kH, kT}, extras),
            "hyperedge 'y': node 'bob' is both tail and head; a node may appear once in a hyperedge");
  EXPECT_EQ(error_of(2, 3, {2, 2}, {0, 0}, {kH, kH}, extras),
            "hyperedge 'z': node 'ann' is listed twice; a node may appear once in a hyperedge");
}

TEST(HypergraphErrors, IdsOutOfRange) {
  const HypergraphExtras extras{{}, {}, Names({Name::string("x"), Name::string("y")})};

  EXPECT_EQ(error_of(3, 2, {0, 2}, {0, 0}), "incidence 1: hyperedge id 2 is out of range; expected 0..1");
  EXPECT_EQ(error_of(3, 2, {-1, 0}, {0, 0}), "incidence 0: hyperedge id -1 is out of range; expected 0..1");
  EXPECT_EQ(error_of(3, 2, {0, 1}, {0, 3}, {}, extras),
            "incidence 1, in hyperedge 'y': node id 3 is out of range; expected 0..2");
  EXPECT_EQ(error_of(3, 2, {0, 1}, {-5, 0}),
            "incidence 0, in hyperedge 0: node id -5 is out of range; expected 0..2");
  EXPECT_EQ(error_of(0, 2, {1}, {0}),
            "incidence 0, in hyperedge 1: node id 0 is out of range; there are no nodes");
  EXPECT_EQ(error_of(3, 0, {0}, {0}), "incidence 0: hyperedge id 0 is out of range; there are no hyperedges");
  EXPECT_EQ(error_of(-1, 2, {}, {}), "-1 nodes and 2 hyperedges; expected counts of at least 0");
}

TEST(HypergraphErrors, TheFirstOfManyIdsOutOfRangeForAnyNumberOfThreads) {
  std::vector<Index> ids(300000, 0);
  ids[299999] = 7;
  ids[200001] = 8;
  for (const int threads : {1, 2, 7}) {
    const WithThreads scope(threads);

    EXPECT_EQ(error_of(1, 1, ids, ids), "incidence 200001: hyperedge id 8 is out of range; expected 0..0");
  }
}

TEST(HypergraphErrors, WeightsOfIncidencesThatAreNotFiniteAndPositive) {
  const std::vector<Index> edge{0, 0};
  const std::vector<Index> node{0, 1};
  const auto error_with = [&](const std::vector<double>& weight) {
    return message_of<InvalidInput>([&] {
      const Names names({Name::string("a"), Name::string("b")});
      Hypergraph(2, 1, {edge, node, {}, weight}, OnConflict::error, {{}, names, {}});
    });
  };

  EXPECT_EQ(error_with({1, 0}),
            "hyperedge 0, node 'b': the incidence has weight 0; expected a finite number above 0");
  EXPECT_EQ(error_with({std::nan(""), 1}),
            "hyperedge 0, node 'a': the incidence has weight nan; expected a finite number above 0");
  EXPECT_EQ(error_with({1, std::numeric_limits<double>::infinity()}),
            "hyperedge 0, node 'b': the incidence has weight inf; expected a finite number above 0");
  EXPECT_EQ(error_with({1}), "1 incidence weights for 2 incidences; give one each, or none");
  EXPECT_EQ(error_with({1, 1e-300}), "(no error)");
}

TEST(HypergraphErrors, LengthsThatDiffer) {
  EXPECT_EQ(error_of(3, 2, {0, 1}, {0}),
            "incidence arrays differ in length: 2 hyperedge ids, 1 node ids, 0 roles; "
            "give one of each per incidence, or no roles");
  EXPECT_EQ(error_of(3, 2, {0}, {0}, {kT, kH}),
            "incidence arrays differ in length: 1 hyperedge ids, 1 node ids, 2 roles; "
            "give one of each per incidence, or no roles");
  EXPECT_EQ(error_of(3, 2, {}, {}, {}, {{1.0}, {}, {}}),
            "1 hyperedge weights for 2 hyperedges; give one each, or none");
  EXPECT_EQ(error_of(3, 2, {}, {}, {}, {{}, Names({Name::string("a")}), {}}),
            "1 names for 3 nodes; give one each, or none");
  EXPECT_EQ(error_of(3, 2, {}, {}, {}, {{}, {}, Names({Name::string("a")})}),
            "1 names for 2 hyperedges; give one each, or none");
}

TEST(HypergraphErrors, WeightsThatAreNotFiniteAndPositive) {
  const Names names({Name::string("a"), Name::string("b")});
  const auto error_with = [&](double weight) {
    return error_of(1, 2, {}, {}, {}, {{2.0, weight}, {}, names});
  };

  EXPECT_EQ(error_with(0.0), "hyperedge 'b' has weight 0; expected a finite number above 0");
  EXPECT_EQ(error_with(-1.5), "hyperedge 'b' has weight -1.5; expected a finite number above 0");
  EXPECT_EQ(error_with(std::nan("")), "hyperedge 'b' has weight nan; expected a finite number above 0");
  EXPECT_EQ(error_with(std::numeric_limits<double>::infinity()),
            "hyperedge 'b' has weight inf; expected a finite number above 0");
  EXPECT_EQ(error_with(std::numeric_limits<double>::denorm_min()), "(no error)");
}

/// The same by the obvious way: all roles of each member, then the rule.
std::map<std::pair<Index, Index>, Role> reference(const RawIncidences& raw, OnConflict rule) {
  std::map<std::pair<Index, Index>, std::set<Role>> seen;
  for (std::size_t i = 0; i < raw.edge.size(); ++i) seen[{raw.edge[i], raw.node[i]}].insert(raw.role[i]);
  std::map<std::pair<Index, Index>, Role> members;
  for (const auto& [member, roles] : seen) {
    const Role preferred = rule == OnConflict::keep_tail ? kT : kH;
    members[member] = roles.contains(preferred) ? preferred : *roles.begin();
  }
  return members;
}

RC_GTEST_PROP(HypergraphProperty, EqualsTheObviousMap, ()) {
  const RawIncidences raw = any_incidences();
  const OnConflict rule = *rc::gen::element(OnConflict::keep_tail, OnConflict::keep_head);

  const Hypergraph h(raw.nodes, raw.edges, raw.arrays(), rule);

  std::map<std::pair<Index, Index>, Role> found;
  for (Index e = 0; e < h.edge_count(); ++e) {
    for (const Index v : h.tail(e)) RC_ASSERT(found.emplace(std::pair(e, v), kT).second);
    for (const Index v : h.head(e)) RC_ASSERT(found.emplace(std::pair(e, v), kH).second);
    RC_ASSERT(std::is_sorted(h.tail(e).begin(), h.tail(e).end()));
    RC_ASSERT(std::is_sorted(h.head(e).begin(), h.head(e).end()));
  }
  RC_ASSERT(found == reference(raw, rule));
}

RC_GTEST_PROP(HypergraphProperty, RefusesExactlyTheRepetitions, ()) {
  const RawIncidences raw = any_incidences();
  const bool repeats = reference(raw, OnConflict::keep_tail).size() != raw.edge.size();

  const std::string message = error_of(raw.nodes, raw.edges, raw.edge, raw.node, raw.role);

  RC_ASSERT((message != "(no error)") == repeats);
}

RC_GTEST_PROP(HypergraphProperty, TheViewByNodeIsTheTranspose, ()) {
  const Hypergraph h = any_hypergraph();

  RC_ASSERT(h.node_ptr().back() == h.incidence_count());
  std::set<Offset> seen;
  for (Index v = 0; v < h.node_count(); ++v) {
    const Offset head = h.node_head_begin()[v];
    RC_ASSERT(h.node_ptr()[v] <= head);
    RC_ASSERT(head <= h.node_ptr()[v + 1]);
    for (Offset i = h.node_ptr()[v]; i < h.node_ptr()[v + 1]; ++i) {
      const Offset at = h.node_incidences()[i];
      const Index e = h.node_edges()[i];
      RC_ASSERT(h.member_nodes()[at] == v);
      RC_ASSERT(h.edge_ptr()[e] <= at);
      RC_ASSERT(at < h.edge_ptr()[e + 1]);
      RC_ASSERT((h.role(e, at) == kT) == (i < head));
      if (i > h.node_ptr()[v] && i != head) RC_ASSERT(h.node_incidences()[i - 1] < at);
      seen.insert(at);
    }
  }
  RC_ASSERT(static_cast<Offset>(seen.size()) == h.incidence_count());
}

RC_GTEST_PROP(HypergraphProperty, TheOrderOfTheInputDoesNotMatter, ()) {
  const RawIncidences raw = any_incidences();
  RawIncidences shuffled = raw;
  const std::vector<Index> order = any_permutation(static_cast<Index>(raw.edge.size()));
  for (std::size_t i = 0; i < order.size(); ++i) {
    shuffled.edge[i] = raw.edge[order[i]];
    shuffled.node[i] = raw.node[order[i]];
    shuffled.role[i] = raw.role[order[i]];
  }

  RC_ASSERT(Hypergraph(raw.nodes, raw.edges, shuffled.arrays(), OnConflict::keep_head) ==
            Hypergraph(raw.nodes, raw.edges, raw.arrays(), OnConflict::keep_head));
}

/// Large enough for several pieces of work, with one giant hyperedge, hubs, empty hyperedges and repetitions.
RawIncidences large_incidences(Index nodes, Index edges, std::size_t count) {
  RawIncidences raw{nodes, edges, {}, {}, {}};
  Random random(3);
  for (std::size_t i = 0; i < count; ++i) {
    const bool giant = random.below(4) == 0;
    const double skew = random.uniform() * random.uniform();
    raw.edge.push_back(giant ? edges / 3 : static_cast<Index>(random.below(edges)));
    raw.node.push_back(static_cast<Index>(skew * nodes));
    raw.role.push_back(random.below(2) == 0 ? kT : kH);
  }
  return raw;
}

class LargeHypergraph : public testing::TestWithParam<std::pair<Index, Index>> {};

TEST_P(LargeHypergraph, IsTheSameForAnyNumberOfThreads) {
  const auto [nodes, edges] = GetParam();
  const RawIncidences raw = large_incidences(nodes, edges, 400000);
  const auto build = [&](int threads) {
    const WithThreads scope(threads);
    return Hypergraph(raw.nodes, raw.edges, raw.arrays(), OnConflict::keep_tail);
  };

  const Hypergraph alone = build(1);

  EXPECT_EQ(build(2), alone);
  EXPECT_EQ(build(7), alone);
}

TEST_P(LargeHypergraph, EqualsTheObviousMap) {
  const auto [nodes, edges] = GetParam();
  const RawIncidences raw = large_incidences(nodes, edges, 100000);

  const Hypergraph h(raw.nodes, raw.edges, raw.arrays(), OnConflict::keep_head);

  const auto expected = reference(raw, OnConflict::keep_head);
  ASSERT_EQ(h.incidence_count(), static_cast<Offset>(expected.size()));
  for (const auto& [member, role] : expected) {
    const auto part = role == kT ? h.tail(member.first) : h.head(member.first);
    ASSERT_TRUE(std::binary_search(part.begin(), part.end(), member.second));
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, LargeHypergraph,
                         testing::Values(std::pair(100000, 30000), std::pair(50, 70000), std::pair(90000, 3),
                                         std::pair(511, 512), std::pair(1, 1)));

}  // namespace
}  // namespace dshn::test
