#include "hypergraph/incidence_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <span>

#include "dshn/base/error.hpp"
#include "dshn/base/parallel_rows.hpp"
#include "hypergraph/group_by.hpp"

namespace dshn {
namespace {

constexpr Index kNone = std::numeric_limits<Index>::max();

/// A member as one sortable number: tails before heads, then by node.
using Member = std::uint32_t;
constexpr Member kHeadBit = 1U << 31;

bool is_tail(Member member) {
  return (member & kHeadBit) == 0;
}
Member as_tail(Member member) {
  return member & ~kHeadBit;
}
Member as_head(Member member) {
  return member | kHeadBit;
}
Index node_of(Member member) {
  return static_cast<Index>(as_tail(member));
}

/// Members of all hyperedges, one row each; repetitions included.
struct Rows {
  std::vector<Offset> ptr;
  std::vector<Member> members;

  std::span<Member> row(Offset e) { return std::span(members).subspan(ptr[e], ptr[e + 1] - ptr[e]); }
};

Rows gather_rows(const IncidenceArrays& in, Index edge_count) {
  Rows rows;
  rows.members.resize(in.edge.size());
  const auto emit = [&](Offset place, std::uint64_t member) {
    rows.members[place] = static_cast<Member>(member);
  };
  if (in.role.empty()) {
    rows.ptr = group_by(
        in.edge, edge_count, [&](Offset i) { return static_cast<Member>(in.node[i]); }, emit);
  } else {
    const auto member = [&](Offset i) {
      return static_cast<Member>(in.node[i]) | (in.role[i] == Role::head ? kHeadBit : 0);
    };
    rows.ptr = group_by(in.edge, edge_count, member, emit);
  }
  return rows;
}

/// The first member of a sorted row whose node occurs again, as tail where it has both roles; else the row's
/// end.
std::span<Member>::iterator find_repetition(std::span<Member> row) {
  const auto head = std::partition_point(row.begin(), row.end(), is_tail);
  auto h = head;
  for (auto m = row.begin(); m != row.end(); ++m) {
    if (m + 1 != row.end() && m[1] == *m) return m;
    if (!is_tail(*m)) continue;
    while (h != row.end() && node_of(*h) < node_of(*m)) ++h;
    if (h != row.end() && node_of(*h) == node_of(*m)) return m;
  }
  return row.end();
}

/// Leaves one entry per node at the front of a sorted row, sorted again, and tells how many these are.
Offset merge_repetitions(std::span<Member> row, OnConflict rule) {
  auto end = std::unique(row.begin(), row.end());
  const auto head = std::partition_point(row.begin(), end, is_tail);
  if (rule == OnConflict::keep_tail) {
    end = std::remove_if(head, end,
                         [&](Member m) { return std::binary_search(row.begin(), head, as_tail(m)); });
  } else {
    const auto tail_end = std::remove_if(row.begin(), head,
                                         [&](Member m) { return std::binary_search(head, end, as_head(m)); });
    end = std::move(head, end, tail_end);
  }
  return end - row.begin();
}

/// Sorts every row; where the rule allows it, merges its repetitions. Returns the rows' new sizes, which stay
/// at their old starts. `first_conflict` becomes the first hyperedge with a repetition for which there is no
/// rule.
std::vector<Offset> sort_rows(Rows& rows, OnConflict rule, Index& first_conflict) {
  std::vector<Offset> sizes(rows.ptr.size() - 1);
  std::atomic<Index> first{kNone};
  parallel_rows(rows.ptr, kGrain, [&](Offset begin, Offset end) {
    for (Offset e = begin; e < end; ++e) {
      const std::span<Member> row = rows.row(e);
      std::sort(row.begin(), row.end());
      sizes[e] = static_cast<Offset>(row.size());
      if (find_repetition(row) == row.end()) continue;
      if (rule != OnConflict::error) {
        sizes[e] = merge_repetitions(row, rule);
        continue;
      }
      Index seen = first.load();
      while (e < seen && !first.compare_exchange_weak(seen, static_cast<Index>(e))) {
      }
    }
  });
  first_conflict = first.load();
  return sizes;
}

[[noreturn]] void report_conflict(std::span<Member> row, const std::string& edge, const Names& node_names) {
  const Member member = *find_repetition(row);
  const bool both = is_tail(member) && std::binary_search(row.begin(), row.end(), as_head(member));
  throw InvalidInput(
      fmt::format("hyperedge {}: node {} is {}; a node may appear once in a hyperedge "
                  "(--on-conflict=keep-tail or keep-head keeps one role)",
                  edge, node_names.quoted(node_of(member)), both ? "both tail and head" : "listed twice"));
}

/// Closes the gaps behind rows that have shrunk and separates the roles from the nodes.
EdgeView compact(Rows rows, const std::vector<Offset>& sizes) {
  EdgeView view;
  view.ptr.resize(rows.ptr.size());
  for (std::size_t e = 0; e < sizes.size(); ++e) view.ptr[e + 1] = view.ptr[e] + sizes[e];
  view.head_begin.resize(sizes.size());
  view.nodes.resize(view.ptr.back());
  view.edge_of.resize(view.ptr.back());
  parallel_rows(view.ptr, kGrain, [&](Offset first, Offset last) {
    for (Offset e = first; e < last; ++e) {
      const std::span<const Member> row = rows.row(e).first(sizes[e]);
      const auto head = std::partition_point(row.begin(), row.end(), is_tail);
      view.head_begin[e] = view.ptr[e] + (head - row.begin());
      std::transform(row.begin(), row.end(), view.nodes.begin() + view.ptr[e], node_of);
      std::fill_n(view.edge_of.begin() + view.ptr[e], sizes[e], static_cast<Index>(e));
    }
  });
  return view;
}

}  // namespace

EdgeView group_by_edge(const IncidenceArrays& incidences, Index edge_count, OnConflict rule,
                       const Names& node_names, const Names& edge_names) {
  Rows rows = gather_rows(incidences, edge_count);
  Index conflict = kNone;
  const std::vector<Offset> sizes = sort_rows(rows, rule, conflict);
  if (conflict != kNone) report_conflict(rows.row(conflict), edge_names.quoted(conflict), node_names);
  return compact(std::move(rows), sizes);
}

NodeView group_by_node(const EdgeView& view, Index node_count) {
  NodeView by_node;
  by_node.edges.resize(view.nodes.size());
  by_node.incidences.resize(view.nodes.size());
  const auto emit = [&](Offset place, std::uint64_t incidence) {
    by_node.incidences[place] = static_cast<Offset>(incidence);
    by_node.edges[place] = view.edge_of[incidence];
  };
  by_node.ptr = group_by(
      view.nodes, node_count, [](Offset i) { return i; }, emit);
  return by_node;
}

}  // namespace dshn
