#include "dshn/hypergraph/soundness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>

#include "dshn/base/parallel_rows.hpp"
#include "dshn/base/utf8.hpp"
#include "hypergraph/ids.hpp"

namespace dshn {
namespace {

/// One direction: rows, what is in them, and how messages call both.
struct View {
  std::span<const Offset> ptr;
  std::span<const Offset> head_begin;
  Offset incidences;
  const char* word;
};

/// The least of 0 .. count-1 for which `bad` holds, else kNoOffset.
template <typename Bad>
Offset find_first(Offset count, const Bad& bad) {
  std::atomic<Offset> first{kNoOffset};
  parallel_for(count, kGrain, [&](Offset begin, Offset end) {
    for (Offset i = begin; i < end; ++i) {
      if (!bad(i)) continue;
      Offset seen = first.load();
      while (i < seen && !first.compare_exchange_weak(seen, i)) {
      }
      return;
    }
  });
  return first.load();
}

/// As find_first, with pieces that have about as many incidences each.
template <typename Bad>
Offset find_first_row(std::span<const Offset> ptr, const Bad& bad) {
  std::atomic<Offset> first{kNoOffset};
  parallel_rows(ptr, kGrain, [&](Offset begin, Offset end) {
    for (Offset row = begin; row < end; ++row) {
      if (!bad(row)) continue;
      Offset seen = first.load();
      while (row < seen && !first.compare_exchange_weak(seen, row)) {
      }
      return;
    }
  });
  return first.load();
}

std::string fault_of_rows(const View& view) {
  if (view.ptr.front() != 0 || view.ptr.back() != view.incidences) {
    return fmt::format("the beginnings of {}s run from {} to {}; expected 0 to {}", view.word,
                       view.ptr.front(), view.ptr.back(), view.incidences);
  }
  const auto rows = static_cast<Offset>(view.ptr.size()) - 1;
  const Offset row = find_first(rows, [&](Offset r) {
    return view.ptr[r] > view.head_begin[r] || view.head_begin[r] > view.ptr[r + 1];
  });
  if (row == kNoOffset) return "";
  return fmt::format("{} {} begins at {}, its heads at {}, and it ends at {}; expected numbers that rise",
                     view.word, row, view.ptr[row], view.head_begin[row], view.ptr[row + 1]);
}

std::string fault_of_ids(std::span<const Index> ids, Index count, const char* where, const char* what) {
  const Offset i = find_out_of_range(ids, count);
  if (i == kNoOffset) return "";
  return fmt::format("{} at {}: {} is out of range; {}", where, i, ids[i], expected_range(count, what));
}

std::string fault_of_positions(const Hypergraph& h) {
  const std::span<const Offset> positions = h.node_incidences();
  const Offset count = h.incidence_count();
  const Offset i = find_first(count, [&](Offset at) { return positions[at] < 0 || positions[at] >= count; });
  if (i == kNoOffset) return "";
  return fmt::format("incidences of nodes at {}: {} is out of range; expected 0..{}", i, positions[i],
                     count - 1);
}

bool is_integer(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc{} && read.ptr == end && std::to_string(value) == text;
}

std::string fault_of_names(const Names& names, const char* what) {
  if (names.implicit()) return "";
  const NameViews& views = names.views();
  const auto size = static_cast<std::int64_t>(views.text.size());
  const bool whole = views.ptr.front() == 0 && views.ptr.back() == size;
  const Offset falls = find_first(names.size(), [&](Offset i) { return views.ptr[i] > views.ptr[i + 1]; });
  if (!whole || falls != kNoOffset)
    return fmt::format("the beginnings of names of {} do not rise from 0 to {}", what, size);
  const Offset i = find_first(names.size(), [&](Offset at) {
    const std::string_view text = names.text(at);
    return views.integer[at] > 1 || find_invalid_utf8(text) != std::string_view::npos ||
           (names.is_integer(at) && !is_integer(text));
  });
  if (i == kNoOffset) return "";
  return fmt::format("the name at {} of {} is neither an integer nor a text in UTF-8", i, what);
}

/// Whether a row's tails ascend, its heads too, and no node is both.
bool is_in_order(std::span<const Index> tail, std::span<const Index> head) {
  const auto ascends = [](std::span<const Index> ids) {
    return std::ranges::adjacent_find(ids, std::ranges::greater_equal()) == ids.end();
  };
  if (!ascends(tail) || !ascends(head)) return false;
  auto h = head.begin();
  for (const Index node : tail) {
    while (h != head.end() && *h < node) ++h;
    if (h != head.end() && *h == node) return false;
  }
  return true;
}

/// Whether the node's row says what the hyperedges say: as many rows as there are incidences, each once, are all.
bool is_mirrored(const Hypergraph& h, Index v) {
  Offset before = -1;
  for (Offset i = h.node_ptr()[v]; i < h.node_ptr()[v + 1]; ++i) {
    const Offset incidence = h.node_incidences()[i];
    const Index e = h.node_edges()[i];
    const bool head = i >= h.node_head_begin()[v];
    if (i == h.node_head_begin()[v]) before = -1;
    const bool inside = h.edge_ptr()[e] <= incidence && incidence < h.edge_ptr()[e + 1];
    if (!inside || incidence <= before || h.member_nodes()[incidence] != v) return false;
    if ((h.role(e, incidence) == Role::head) != head) return false;
    before = incidence;
  }
  return true;
}

std::string fault_of_weights(std::span<const double> weights, const char* what) {
  const Offset i = find_first(static_cast<Offset>(weights.size()),
                              [&](Offset at) { return !std::isfinite(weights[at]) || weights[at] <= 0; });
  if (i == kNoOffset) return "";
  return fmt::format("the weight at {} of {} is {}; expected a finite number above 0", i, what, weights[i]);
}

std::string fault_of_order(const Hypergraph& h) {
  const Offset edge = find_first_row(h.edge_ptr(), [&](Offset e) {
    return !is_in_order(h.tail(static_cast<Index>(e)), h.head(static_cast<Index>(e)));
  });
  if (edge != kNoOffset)
    return fmt::format("the members of hyperedge {} are not in order, or one is there twice", edge);
  const Offset node =
      find_first_row(h.node_ptr(), [&](Offset v) { return !is_mirrored(h, static_cast<Index>(v)); });
  if (node != kNoOffset) return fmt::format("node {} is in other hyperedges than these say", node);
  std::string fault = fault_of_weights(h.edge_weights(), "hyperedges");
  return fault.empty() ? fault_of_weights(h.incidence_weights(), "incidences") : fault;
}

}  // namespace

std::string find_fault(const Hypergraph& h, Soundness soundness) {
  std::string fault = fault_of_rows({h.edge_ptr(), h.head_begin(), h.incidence_count(), "hyperedge"});
  if (fault.empty()) fault = fault_of_rows({h.node_ptr(), h.node_head_begin(), h.incidence_count(), "node"});
  if (fault.empty()) fault = fault_of_ids(h.member_nodes(), h.node_count(), "members", "nodes");
  if (fault.empty())
    fault = fault_of_ids(h.node_edges(), h.edge_count(), "hyperedges of nodes", "hyperedges");
  if (fault.empty()) fault = fault_of_positions(h);
  if (fault.empty()) fault = fault_of_names(h.node_names(), "nodes");
  if (fault.empty()) fault = fault_of_names(h.edge_names(), "hyperedges");
  if (!fault.empty() || soundness == Soundness::memory) return fault;
  return fault_of_order(h);
}

}  // namespace dshn
