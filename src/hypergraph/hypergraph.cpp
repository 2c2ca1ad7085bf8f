#include "dshn/hypergraph/hypergraph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "dshn/hypergraph/error.hpp"
#include "dshn/hypergraph/parallel.hpp"
#include "hypergraph/group_by.hpp"

namespace dshn {
namespace {

constexpr Offset kGrain = 1 << 15;
/// A member as one sortable number: tails before heads, then by node.
using Member = std::uint32_t;
constexpr Member kHeadBit = 1U << 31;

Index node_of(Member member) { return static_cast<Index>(member & ~kHeadBit); }

void check_lengths(const IncidenceArrays& in) {
  if (in.edge.size() != in.node.size() || (!in.role.empty() && in.role.size() != in.edge.size())) {
    throw InvalidInput(fmt::format("incidence arrays differ in length: {} hyperedge ids, {} node ids, {} roles; "
                                   "give one of each per incidence, or no roles",
                                   in.edge.size(), in.node.size(), in.role.size()));
  }
}

void check_range(std::span<const Index> ids, Index count, const char* what) {
  std::atomic<Offset> bad{std::numeric_limits<Offset>::max()};
  parallel_for(static_cast<Offset>(ids.size()), kGrain, [&](Offset begin, Offset end) {
    for (Offset i = begin; i < end; ++i) {
      if (ids[i] >= 0 && ids[i] < count) continue;
      Offset seen = bad.load();
      while (i < seen && !bad.compare_exchange_weak(seen, i)) {
      }
      return;
    }
  });
  if (const Offset i = bad.load(); i != std::numeric_limits<Offset>::max()) {
    throw InvalidInput(fmt::format("incidence {}: {} id {} is outside 0..{}", i, what, ids[i], count - 1));
  }
}

void check_weights(const HypergraphExtras& extras, Index edge_count) {
  if (extras.edge_weights.empty()) return;
  if (static_cast<Index>(extras.edge_weights.size()) != edge_count) {
    throw InvalidInput(
        fmt::format("{} hyperedge weights for {} hyperedges", extras.edge_weights.size(), edge_count));
  }
  for (Index e = 0; e < edge_count; ++e) {
    const double w = extras.edge_weights[e];
    if (!(std::isfinite(w) && w > 0)) {
      throw InvalidInput(fmt::format("hyperedge {} has weight {}; expected a finite number above 0",
                                     extras.edge_names.quoted(e), w));
    }
  }
}

/// Sorted members of one hyperedge with at most one entry per node. Returns the new end; stops at the first
/// conflict when there is no rule for it, and tells the node.
struct Deduplicated {
  Member* end;
  Index conflict = -1;
};

Deduplicated deduplicate(Member* begin, Member* end, OnConflict rule) {
  Member* const head = std::partition_point(begin, end, [](Member m) { return (m & kHeadBit) == 0; });
  Member* tail_out = begin;
  Member* head_scan = head;
  std::vector<Member> heads_kept;  // filled only when something must be dropped
  bool dropped = false;
  const auto fail = [&](Index node) { return Deduplicated{end, node}; };

  for (Member* t = begin; t != head; ++t) {
    if (t != begin && node_of(*t) == node_of(t[-1])) {
      if (rule == OnConflict::error) return fail(node_of(*t));
      continue;
    }
    while (head_scan != end && node_of(*head_scan) < node_of(*t)) ++head_scan;
    if (head_scan != end && node_of(*head_scan) == node_of(*t)) {
      if (rule == OnConflict::error) return fail(node_of(*t));
      if (rule == OnConflict::keep_head) continue;
      dropped = true;
    }
    *tail_out++ = *t;
  }
  for (Member* h = head; h != end; ++h) {
    if (h != head && *h == h[-1]) {
      if (rule == OnConflict::error) return fail(node_of(*h));
      dropped = true;
      continue;
    }
    const bool is_tail = dropped && std::binary_search(begin, tail_out, *h & ~kHeadBit);
    if (!is_tail) heads_kept.push_back(*h);
  }
  return {std::copy(heads_kept.begin(), heads_kept.end(), tail_out)};
}

/// Most rows have no repetition: this check allocates nothing.
bool has_repetition(const Member* begin, const Member* end) {
  const Member* head = std::partition_point(begin, end, [](Member m) { return (m & kHeadBit) == 0; });
  if (std::adjacent_find(begin, end) != end) return true;
  const Member* h = head;
  for (const Member* t = begin; t != head; ++t) {
    while (h != end && node_of(*h) < node_of(*t)) ++h;
    if (h != end && node_of(*h) == node_of(*t)) return true;
  }
  return false;
}

}  // namespace

Hypergraph::Hypergraph(Index node_count, Index edge_count, const IncidenceArrays& incidences,
                       OnConflict on_conflict, HypergraphExtras extras) {
  check_lengths(incidences);
  check_range(incidences.edge, edge_count, "hyperedge");
  check_range(incidences.node, node_count, "node");
  check_weights(extras, edge_count);
  node_names_ = std::move(extras.node_names);
  edge_names_ = std::move(extras.edge_names);
  edge_weights_ = std::move(extras.edge_weights);
  if (std::all_of(edge_weights_.begin(), edge_weights_.end(), [](double w) { return w == 1.0; })) {
    edge_weights_.clear();
  }

  // By hyperedge: group, sort each row (tails first), drop or report repetitions.
  std::vector<Member> members(incidences.edge.size());
  {
    Grouping by_edge = group_by(incidences.edge, edge_count);
    edge_ptr_ = std::move(by_edge.ptr);
    parallel_for(static_cast<Offset>(members.size()), kGrain, [&](Offset begin, Offset end) {
      for (Offset i = begin; i < end; ++i) {
        const Offset from = by_edge.order[i];
        const bool is_head = !incidences.role.empty() && incidences.role[from] == Role::head;
        members[i] = static_cast<Member>(incidences.node[from]) | (is_head ? kHeadBit : 0);
      }
    });
  }
  std::vector<Offset> kept_size(edge_count);
  std::atomic<Index> first_conflict{std::numeric_limits<Index>::max()};
  const Offset edge_grain = std::max<Offset>(1, kGrain * edge_count / std::max<Offset>(1, members.size()));
  parallel_for(edge_count, edge_grain, [&](Offset first, Offset last) {
    for (Offset e = first; e < last; ++e) {
      Member* begin = members.data() + edge_ptr_[e];
      Member* end = members.data() + edge_ptr_[e + 1];
      std::sort(begin, end);
      kept_size[e] = end - begin;
      if (!has_repetition(begin, end)) continue;
      const Deduplicated result = deduplicate(begin, end, on_conflict);
      kept_size[e] = result.end - begin;
      if (result.conflict < 0) continue;
      Index seen = first_conflict.load();
      while (e < seen && !first_conflict.compare_exchange_weak(seen, static_cast<Index>(e))) {
      }
    }
  });
  if (const Index e = first_conflict.load(); e != std::numeric_limits<Index>::max()) {
    const Index node = deduplicate(members.data() + edge_ptr_[e], members.data() + edge_ptr_[e + 1],
                                   OnConflict::error).conflict;
    const auto row = std::span(members).subspan(edge_ptr_[e], edge_ptr_[e + 1] - edge_ptr_[e]);
    const bool both = std::find(row.begin(), row.end(), static_cast<Member>(node)) != row.end() &&
                      std::find(row.begin(), row.end(), static_cast<Member>(node) | kHeadBit) != row.end();
    throw InvalidInput(fmt::format("hyperedge {}: node {} is {}; a node may appear once in a hyperedge "
                                   "(--on-conflict=keep-tail or keep-head keeps one role)",
                                   edge_names_.quoted(e), node_names_.quoted(node),
                                   both ? "both tail and head" : "listed twice"));
  }

  // Close the gaps left by dropped repetitions, if any, and split role from node.
  std::vector<Offset> old_ptr = edge_ptr_;
  for (Index e = 0; e < edge_count; ++e) edge_ptr_[e + 1] = edge_ptr_[e] + kept_size[e];
  member_nodes_.resize(edge_ptr_[edge_count]);
  head_begin_.resize(edge_count);
  std::vector<Index> edge_of(member_nodes_.size());
  parallel_for(edge_count, edge_grain, [&](Offset first, Offset last) {
    for (Offset e = first; e < last; ++e) {
      Offset out = edge_ptr_[e];
      head_begin_[e] = edge_ptr_[e + 1];
      for (Offset i = old_ptr[e]; out < edge_ptr_[e + 1]; ++i, ++out) {
        if ((members[i] & kHeadBit) != 0) head_begin_[e] = std::min(head_begin_[e], out);
        member_nodes_[out] = node_of(members[i]);
        edge_of[out] = static_cast<Index>(e);
      }
    }
  });
  members = {};

  Grouping by_node = group_by(member_nodes_, node_count);
  node_ptr_ = std::move(by_node.ptr);
  node_incidences_ = std::move(by_node.order);
  node_edges_.resize(node_incidences_.size());
  parallel_for(incidence_count(), kGrain, [&](Offset begin, Offset end) {
    for (Offset i = begin; i < end; ++i) node_edges_[i] = edge_of[node_incidences_[i]];
  });
}

bool Hypergraph::has_directed_edges() const {
  for (Index e = 0; e < edge_count(); ++e) {
    if (is_directed(e)) return true;
  }
  return false;
}

std::size_t Hypergraph::memory_bytes() const {
  return (edge_ptr_.size() + head_begin_.size() + node_ptr_.size() + node_incidences_.size()) * sizeof(Offset) +
         (member_nodes_.size() + node_edges_.size()) * sizeof(Index) + edge_weights_.size() * sizeof(double);
}

}  // namespace dshn
