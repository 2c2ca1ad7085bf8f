#include "hypergraph/incidence_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

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

/// Members of all hyperedges, one row each; repetitions included. They become nodes where they stand.
struct Rows {
  std::vector<Offset> ptr;
  std::vector<Index> members;

  std::span<Member> row(Offset e) {
    return {reinterpret_cast<Member*>(members.data()) + ptr[e],
            static_cast<std::size_t>(ptr[e + 1] - ptr[e])};
  }
};

Rows gather_rows(const IncidenceArrays& in, Index edge_count) {
  const auto words = std::make_unique_for_overwrite<std::uint64_t[]>(in.edge.size());
  Rows rows{std::vector<Offset>(static_cast<std::size_t>(edge_count) + 1, 0),
            std::vector<Index>(in.edge.size())};
  rows.ptr.back() = static_cast<Offset>(in.edge.size());
  const auto items = [&](Offset begin, Offset end, const auto& visit) {
    const bool roles = !in.role.empty();
    for (Offset i = begin; i < end; ++i) {
      const auto node = static_cast<Member>(in.node[i]);
      visit(in.edge[i], roles && in.role[i] == Role::head ? as_head(node) : node);
    }
  };
  group_by(
      edge_count, {words.get(), in.edge.size()}, items, [&](Offset e, Offset place) { rows.ptr[e] = place; },
      [&](Offset place, std::uint64_t member) { rows.members[place] = static_cast<Index>(member); });
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
      fmt::format("hyperedge {}: node {} is {}; a node may appear once in a hyperedge", edge,
                  node_names.quoted(node_of(member)), both ? "both tail and head" : "listed twice"),
      Topic{"repeated-member"});
}

/// Closes the gaps behind rows that have shrunk.
void close_gaps(Rows& rows, const std::vector<Offset>& sizes) {
  if (std::accumulate(sizes.begin(), sizes.end(), Offset{0}) == rows.ptr.back()) return;
  Offset out = 0;
  for (std::size_t e = 0; e < sizes.size(); ++e) {
    const auto row = rows.members.begin() + std::exchange(rows.ptr[e], out);
    std::copy_n(row, sizes[e], rows.members.begin() + out);
    out += sizes[e];
  }
  rows.ptr.back() = out;
  rows.members.resize(out);
  rows.members.shrink_to_fit();
}

/// Separates the roles from the nodes.
EdgeView without_role_bits(Rows rows) {
  std::vector<Offset> head_begin(rows.ptr.size() - 1);
  parallel_rows(rows.ptr, kGrain, [&](Offset first, Offset last) {
    for (Offset e = first; e < last; ++e) {
      const std::span<Member> row = rows.row(e);
      const auto head = std::partition_point(row.begin(), row.end(), is_tail);
      head_begin[e] = rows.ptr[e] + (head - row.begin());
      std::transform(head, row.end(), head, as_tail);
    }
  });
  return {std::move(rows.ptr), std::move(head_begin), std::move(rows.members)};
}

/// The hyperedges of incidences that are asked for in ascending order.
class EdgeFinder {
 public:
  explicit EdgeFinder(std::span<const Offset> edge_ptr) : ptr_(edge_ptr) {}

  Index operator()(Offset incidence) {
    const auto last = static_cast<Offset>(ptr_.size()) - 1;
    Offset low = edge_;
    Offset high = low + 1;
    for (Offset step = 2; high < last && ptr_[high] <= incidence; step *= 2) {
      low = high;
      high = std::min(low + step, last);
    }
    edge_ = std::upper_bound(ptr_.begin() + low, ptr_.begin() + high, incidence) - ptr_.begin() - 1;
    return static_cast<Index>(edge_);
  }

 private:
  std::span<const Offset> ptr_;
  Offset edge_ = 0;
};

}  // namespace

EdgeView group_by_edge(const IncidenceArrays& incidences, Index edge_count, OnConflict rule,
                       const Names& node_names, const Names& edge_names) {
  Rows rows = gather_rows(incidences, edge_count);
  Index conflict = kNone;
  const std::vector<Offset> sizes = sort_rows(rows, rule, conflict);
  if (conflict != kNone) report_conflict(rows.row(conflict), edge_names.quoted(conflict), node_names);
  close_gaps(rows, sizes);
  return without_role_bits(std::move(rows));
}

NodeView group_by_node(const EdgeView& view, Index node_count) {
  NodeView by_node{std::vector<Offset>(static_cast<std::size_t>(node_count) + 1),
                   std::vector<Offset>(node_count), std::vector<Index>(view.nodes.size()),
                   std::vector<Offset>(view.nodes.size())};
  by_node.ptr.back() = view.ptr.back();
  // A key is a node and a role, so tails come first.
  const auto items = [&](Offset begin, Offset end, const auto& visit) {
    EdgeFinder edge_of(view.ptr);
    for (Offset i = begin; i < end;) {
      const Index e = edge_of(i);
      const Offset edge_end = std::min(view.ptr[e + 1], end);
      for (; i < edge_end; ++i) {
        visit(2 * Offset{view.nodes[i]} + (i < view.head_begin[e] ? 0 : 1), static_cast<std::uint64_t>(i));
      }
    }
  };
  const auto start = [&](Offset key, Offset place) {
    (key % 2 == 0 ? by_node.ptr : by_node.head_begin)[key / 2] = place;
  };
  const auto emit = [&by_node, edge_of = EdgeFinder(view.ptr)](Offset place,
                                                               std::uint64_t incidence) mutable {
    by_node.incidences[place] = static_cast<Offset>(incidence);
    by_node.edges[place] = edge_of(static_cast<Offset>(incidence));
  };
  // The words to sort live where the sorted incidences will.
  const std::span words(reinterpret_cast<std::uint64_t*>(by_node.incidences.data()), view.nodes.size());
  group_by(2 * Offset{node_count}, words, items, start, emit);
  return by_node;
}

}  // namespace dshn
