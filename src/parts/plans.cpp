#include "parts/plans.hpp"

#include <algorithm>

#include "parts/check.hpp"

namespace dshn::parts {
namespace {

/// Which parts a hyperedge touches, ascending, and how many of its members each has: one hyperedge after another.
class Touched {
 public:
  Touched(const Hypergraph& hypergraph, const Partition& partition)
      : hypergraph_(hypergraph),
        part_of_node_(partition.part_of_node),
        count_(static_cast<std::size_t>(partition.parts), 0) {}

  const std::vector<std::int32_t>& look_at(Index e) {
    for (const std::int32_t part : parts_) count_[static_cast<std::size_t>(part)] = 0;
    parts_.clear();
    for (const Index v : hypergraph_.members(e)) {
      const std::int32_t part = part_of_node_[static_cast<std::size_t>(v)];
      if (count_[static_cast<std::size_t>(part)]++ == 0) parts_.push_back(part);
    }
    if (parts_.empty()) parts_.push_back(0);  // where hyperedges without members are
    std::ranges::sort(parts_);
    return parts_;
  }

  /// The part with most members, of equals the first.
  std::int32_t owner() const {
    return *std::ranges::max_element(parts_, {},
                                     [&](std::int32_t p) { return count_[static_cast<std::size_t>(p)]; });
  }

 private:
  const Hypergraph& hypergraph_;
  const std::vector<std::int32_t>& part_of_node_;
  std::vector<Offset> count_;
  std::vector<std::int32_t> parts_;
};

void place_nodes(const Hypergraph& h, const Partition& partition, Plans& plans) {
  std::vector<std::uint8_t> alone(static_cast<std::size_t>(h.node_count()), 0);
  for (Index e = 0; e < h.edge_count(); ++e) {
    if (h.size(e) == 1) alone[static_cast<std::size_t>(h.members(e).front())] = 1;
  }
  Index looped = 0;
  for (Index v = 0; v < h.node_count(); ++v) {
    const auto at = static_cast<std::size_t>(v);
    Plan& plan = plans.of_part[static_cast<std::size_t>(partition.part_of_node[at])];
    plans.local_node[at] = static_cast<Index>(plan.nodes.size());
    plan.nodes.push_back(v);
    plan.loops.push_back(alone[at] != 0 ? -1 : looped++);
  }
}

/// Puts a hyperedge into the parts that it touches, behind those that are there.
void place_edge(const Hypergraph& h, const Partition& partition, Index e,
                const std::vector<std::int32_t>& touched, std::int32_t owner, Plans& plans) {
  Plan& owning = plans.of_part[static_cast<std::size_t>(owner)];
  const auto at_owner = static_cast<Index>(owning.edges.size());
  plans.owner[static_cast<std::size_t>(e)] = owner;
  plans.local_edge[static_cast<std::size_t>(e)] = at_owner;
  for (const std::int32_t p : touched) {
    Plan& plan = plans.of_part[static_cast<std::size_t>(p)];
    const auto here = static_cast<Index>(plan.edges.size());
    plan.edges.push_back(e);
    plan.sizes.push_back(h.size(e));
    plan.edge_directed.push_back(h.is_directed(e) ? 1 : 0);
    plan.owned.push_back(p == owner ? 1 : 0);
    if (touched.size() > 1) ++plan.shared;
    if (p == owner) continue;
    plan.to_owner[static_cast<std::size_t>(owner)].push_back(here);
    owning.of_others[static_cast<std::size_t>(p)].push_back(at_owner);
  }
  // Nodes have the same order in a part as in the whole, so members have too.
  for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
    const Index v = h.member_nodes()[i];
    const std::int32_t p = partition.part_of_node[static_cast<std::size_t>(v)];
    plans.of_part[static_cast<std::size_t>(p)].incidences.push_back(i);
  }
}

Plan empty_plan(const Hypergraph& h, int part, int parts) {
  Plan plan;
  plan.part = part;
  plan.parts = parts;
  plan.all_nodes = h.node_count();
  plan.all_edges = h.edge_count();
  plan.all_incidences = h.incidence_count();
  plan.directed = h.has_directed_edges();
  plan.to_owner.resize(static_cast<std::size_t>(parts));
  plan.of_others.resize(static_cast<std::size_t>(parts));
  return plan;
}

}  // namespace

Plans make_plans(const Hypergraph& hypergraph, const Partition& partition) {
  check(hypergraph, partition);
  Plans plans;
  for (int part = 0; part < partition.parts; ++part)
    plans.of_part.push_back(empty_plan(hypergraph, part, partition.parts));
  plans.local_node.resize(static_cast<std::size_t>(hypergraph.node_count()));
  plans.owner.resize(static_cast<std::size_t>(hypergraph.edge_count()));
  plans.local_edge.resize(static_cast<std::size_t>(hypergraph.edge_count()));
  place_nodes(hypergraph, partition, plans);
  Touched touched(hypergraph, partition);
  for (const bool shared : {true, false}) {
    for (Index e = 0; e < hypergraph.edge_count(); ++e) {
      const std::vector<std::int32_t>& parts = touched.look_at(e);
      if ((parts.size() > 1) == shared) place_edge(hypergraph, partition, e, parts, touched.owner(), plans);
    }
  }
  return plans;
}

}  // namespace dshn::parts
