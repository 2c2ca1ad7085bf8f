#include "dshn/parts/cut.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "data/any_dataset.hpp"
#include "dshn/base/error.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "parts/any_partition.hpp"
#include "support/message_of.hpp"

namespace dshn::parts {
namespace {

using dshn::test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Case {
  data::Dataset whole = data::testing::any_dataset();
  Partition partition = testing::any_partition(whole.hypergraph.node_count());
  std::vector<Part> parts = cut(whole, partition);
};

/// How many members of a hyperedge each part has.
std::map<int, Offset> members_by_part(const Case& drawn, Index e) {
  std::map<int, Offset> count;
  for (const Index v : drawn.whole.hypergraph.members(e)) ++count[drawn.partition.part_of_node[v]];
  if (count.empty()) count[0] = 0;
  return count;
}

RC_GTEST_PROP(Cut, PutsEveryNodeIntoItsPart, ()) {
  const Case drawn;
  RC_ASSERT(static_cast<int>(drawn.parts.size()) == drawn.partition.parts);
  for (int p = 0; p < drawn.partition.parts; ++p) {
    std::vector<Index> expected;
    for (Index v = 0; v < drawn.whole.hypergraph.node_count(); ++v)
      if (drawn.partition.part_of_node[v] == p) expected.push_back(v);
    RC_ASSERT(drawn.parts[p].plan.nodes == expected);
    RC_ASSERT(drawn.parts[p].plan.part == p);
    RC_ASSERT(drawn.parts[p].plan.parts == drawn.partition.parts);
  }
}

RC_GTEST_PROP(Cut, PutsEveryHyperedgeWhereItHasMembersTheSharedOnesFirst, ()) {
  const Case drawn;
  for (const Part& part : drawn.parts) {
    std::vector<Index> shared;
    std::vector<Index> own;
    for (Index e = 0; e < drawn.whole.hypergraph.edge_count(); ++e) {
      const auto count = members_by_part(drawn, e);
      if (count.contains(part.plan.part)) (count.size() > 1 ? shared : own).push_back(e);
    }
    RC_ASSERT(part.plan.shared == static_cast<Index>(shared.size()));
    shared.insert(shared.end(), own.begin(), own.end());
    RC_ASSERT(part.plan.edges == shared);
  }
}

RC_GTEST_PROP(Cut, PutsEveryIncidenceIntoOnePart, ()) {
  const Case drawn;
  const Hypergraph& whole = drawn.whole.hypergraph;
  std::vector<int> seen(static_cast<std::size_t>(whole.incidence_count()), 0);
  for (const Part& part : drawn.parts) {
    const Hypergraph& here = part.dataset.hypergraph;
    RC_ASSERT(here.incidence_count() == static_cast<Offset>(part.plan.incidences.size()));
    for (Index e = 0; e < here.edge_count(); ++e) {
      for (Offset i = here.edge_ptr()[e]; i < here.edge_ptr()[e + 1]; ++i) {
        const Offset there = part.plan.incidences[i];
        const Index edge = part.plan.edges[e];
        ++seen[there];
        RC_ASSERT(whole.edge_ptr()[edge] <= there && there < whole.edge_ptr()[edge + 1]);
        RC_ASSERT(whole.member_nodes()[there] == part.plan.nodes[here.member_nodes()[i]]);
        RC_ASSERT(whole.role(edge, there) == here.role(e, i));
        RC_ASSERT(whole.incidence_weight(there) == here.incidence_weight(i));
      }
    }
  }
  RC_ASSERT(std::ranges::all_of(seen, [](int times) { return times == 1; }));
}

RC_GTEST_PROP(Cut, TellsEveryPartWhatTheWholeIsLike, ()) {
  const Case drawn;
  const Hypergraph& whole = drawn.whole.hypergraph;
  for (const Part& part : drawn.parts) {
    const Plan& plan = part.plan;
    RC_ASSERT(plan.all_nodes == whole.node_count());
    RC_ASSERT(plan.all_edges == whole.edge_count());
    RC_ASSERT(plan.all_incidences == whole.incidence_count());
    RC_ASSERT(plan.directed == whole.has_directed_edges());
    for (std::size_t e = 0; e < plan.edges.size(); ++e) {
      RC_ASSERT(plan.sizes[e] == whole.size(plan.edges[e]));
      RC_ASSERT((plan.edge_directed[e] != 0) == whole.is_directed(plan.edges[e]));
      RC_ASSERT(part.dataset.hypergraph.weight(static_cast<Index>(e)) == whole.weight(plan.edges[e]));
    }
  }
}

RC_GTEST_PROP(Cut, GivesEveryHyperedgeToThePartWithMostMembers, ()) {
  const Case drawn;
  std::vector<int> owners(static_cast<std::size_t>(drawn.whole.hypergraph.edge_count()), -1);
  for (const Part& part : drawn.parts) {
    for (std::size_t e = 0; e < part.plan.edges.size(); ++e) {
      if (part.plan.owned[e] == 0) continue;
      RC_ASSERT(owners[part.plan.edges[e]] == -1);
      owners[part.plan.edges[e]] = part.plan.part;
    }
  }
  for (Index e = 0; e < drawn.whole.hypergraph.edge_count(); ++e) {
    int best = -1;
    Offset most = -1;
    for (const auto& [part, members] : members_by_part(drawn, e)) {
      if (members > most) best = part;
      most = std::max(most, members);
    }
    RC_ASSERT(owners[e] == best);
  }
}

/// The numbers in the whole.
std::vector<Index> in_the_whole(const Plan& plan, const std::vector<Index>& edges) {
  std::vector<Index> all;
  for (const Index e : edges) all.push_back(plan.edges[e]);
  return all;
}

RC_GTEST_PROP(Cut, MakesListsThatAgree, ()) {
  const Case drawn;
  for (const Part& sender : drawn.parts) {
    std::set<Index> sent;
    for (const Part& owner : drawn.parts) {
      const auto& to = sender.plan.to_owner[owner.plan.part];
      const auto& of = owner.plan.of_others[sender.plan.part];
      const std::vector<Index> all = in_the_whole(sender.plan, to);
      RC_ASSERT(all == in_the_whole(owner.plan, of));
      RC_ASSERT(std::ranges::is_sorted(all));
      for (const Index e : to) {
        RC_ASSERT(e < sender.plan.shared);
        RC_ASSERT(sent.insert(e).second);
      }
      for (const Index e : of) RC_ASSERT(owner.plan.owned[e] != 0);
      if (&sender == &owner) RC_ASSERT(to.empty() && of.empty());
    }
    for (Index e = 0; e < sender.plan.shared; ++e) RC_ASSERT(sent.contains(e) == (sender.plan.owned[e] == 0));
  }
}

RC_GTEST_PROP(Cut, NumbersTheLoopsAsTheWholeDoes, ()) {
  const Case drawn;
  const Hypergraph& whole = drawn.whole.hypergraph;
  const Hypergraph looped = with_self_loops(whole);
  std::vector<Index> expected(static_cast<std::size_t>(whole.node_count()), -1);
  for (Index e = whole.edge_count(); e < looped.edge_count(); ++e)
    expected[looped.members(e).front()] = e - whole.edge_count();
  for (const Part& part : drawn.parts) {
    RC_ASSERT(part.plan.loops.size() == part.plan.nodes.size());
    for (std::size_t v = 0; v < part.plan.nodes.size(); ++v)
      RC_ASSERT(part.plan.loops[v] == expected[part.plan.nodes[v]]);
  }
}

/// Whether row i of the part's features is row rows[i] of the whole's.
bool same_rows(const data::Features& part, const data::Features& whole, const std::vector<Index>& rows) {
  if (whole.cols() == 0) return part.cols() == 0;
  const std::vector<float> here = part.dense_values();
  const std::vector<float> there = whole.dense_values();
  if (here.size() != rows.size() * static_cast<std::size_t>(whole.cols())) return false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!std::equal(here.begin() + i * whole.cols(), here.begin() + (i + 1) * whole.cols(),
                    there.begin() + static_cast<std::ptrdiff_t>(rows[i]) * whole.cols()))
      return false;
  }
  return true;
}

RC_GTEST_PROP(Cut, KeepsNamesFeaturesAndTargets, ()) {
  const Case drawn;
  const data::Dataset& whole = drawn.whole;
  for (const Part& part : drawn.parts) {
    const data::Dataset& here = part.dataset;
    RC_ASSERT(here.name == whole.name && here.task == whole.task && here.code == whole.code);
    RC_ASSERT(here.class_count == whole.class_count);
    RC_ASSERT(here.node_feature_names == whole.node_feature_names);
    RC_ASSERT(same_rows(here.node_features, whole.node_features, part.plan.nodes));
    RC_ASSERT(same_rows(here.edge_features, whole.edge_features, part.plan.edges));
    for (std::size_t v = 0; v < part.plan.nodes.size(); ++v)
      RC_ASSERT(here.hypergraph.node_names()[v] == whole.hypergraph.node_names()[part.plan.nodes[v]]);
    for (std::size_t e = 0; e < part.plan.edges.size(); ++e)
      RC_ASSERT(here.hypergraph.edge_names()[e] == whole.hypergraph.edge_names()[part.plan.edges[e]]);
    const bool of_nodes = whole.task == data::Task::node_classification;
    const std::vector<Index>& items = of_nodes ? part.plan.nodes : part.plan.edges;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!whole.labels.empty()) RC_ASSERT(here.labels[i] == whole.labels[items[i]]);
      for (Index j = 0; !whole.values.empty() && j < whole.class_count; ++j)
        RC_ASSERT(here.value(static_cast<Index>(i), j) == whole.value(items[i], j));
    }
  }
}

RC_GTEST_PROP(Cut, PutsEveryItemOfASplitIntoOnePart, ()) {
  const Case drawn;
  const bool of_nodes = drawn.whole.task == data::Task::node_classification;
  for (std::size_t s = 0; s < drawn.whole.splits.size(); ++s) {
    for (const auto set : {&data::Split::train, &data::Split::val, &data::Split::test}) {
      std::vector<Index> all;
      for (const Part& part : drawn.parts) {
        const std::vector<Index>& items = part.dataset.splits[s].*set;
        RC_ASSERT(std::ranges::is_sorted(items));
        for (const Index item : items) {
          if (!of_nodes) RC_ASSERT(part.plan.owned[item] != 0);
          all.push_back(of_nodes ? part.plan.nodes[item] : part.plan.edges[item]);
        }
      }
      std::ranges::sort(all);
      RC_ASSERT(all == drawn.whole.splits[s].*set);
    }
  }
}

/// Three nodes 0 -> {1, 2}, the loop {1}, and a hyperedge without members.
data::Dataset small() {
  const std::vector<Index> edge{0, 0, 0, 1};
  const std::vector<Index> node{0, 1, 2, 1};
  const std::vector<Role> role{Role::tail, Role::head, Role::head, Role::tail};
  data::Dataset dataset;
  dataset.hypergraph = Hypergraph(3, 3, {edge, node, role});
  return dataset;
}

TEST(Cut, IsAsWrittenDownByHand) {
  const std::vector<Part> parts = cut(small(), {2, {0, 1, 1}});
  EXPECT_THAT(parts[0].plan.nodes, ElementsAre(0));
  EXPECT_THAT(parts[0].plan.edges, ElementsAre(0, 2));
  EXPECT_THAT(parts[0].plan.incidences, ElementsAre(0));
  EXPECT_THAT(parts[0].plan.loops, ElementsAre(0));
  EXPECT_THAT(parts[0].plan.to_owner[1], ElementsAre(0));
  EXPECT_THAT(parts[0].plan.owned, ElementsAre(0, 1));
  EXPECT_THAT(parts[1].plan.nodes, ElementsAre(1, 2));
  EXPECT_THAT(parts[1].plan.edges, ElementsAre(0, 1));
  EXPECT_THAT(parts[1].plan.incidences, ElementsAre(1, 2, 3));
  EXPECT_THAT(parts[1].plan.loops, ElementsAre(-1, 1));
  EXPECT_THAT(parts[1].plan.of_others[0], ElementsAre(0));
  EXPECT_THAT(parts[1].plan.edge_directed, ElementsAre(1, 0));
  EXPECT_FALSE(parts[1].dataset.hypergraph.is_directed(0));
}

TEST(Cut, RefusesAPartitionThatDoesNotFit) {
  EXPECT_THAT(message_of<UsageError>([] { cut(small(), {2, {0, 1}}); }), HasSubstr("2 nodes"));
  EXPECT_THAT(message_of<UsageError>([] { cut(small(), {2, {0, 2, 1}}); }), HasSubstr("node 1 is in part 2"));
  EXPECT_THAT(message_of<UsageError>([] { cut(small(), {0, {0, 0, 0}}); }), HasSubstr("into 0 parts"));
}

}  // namespace
}  // namespace dshn::parts
