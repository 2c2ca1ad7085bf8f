#include "dshn/hypergraph/hypergraph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dshn/base/error.hpp"
#include "hypergraph/ids.hpp"
#include "hypergraph/incidence_views.hpp"
#include "hypergraph/incidence_weights.hpp"

namespace dshn {
namespace {

/// What the handles share.
struct Storage {
  EdgeView by_edge;
  NodeView by_node;
  std::vector<double> edge_weights;
  std::vector<double> incidence_weights;
};

void check_counts(Index node_count, Index edge_count) {
  if (node_count < 0 || edge_count < 0) {
    throw InvalidInput(
        fmt::format("{} nodes and {} hyperedges; expected counts of at least 0", node_count, edge_count));
  }
}

void check_lengths(const IncidenceArrays& in) {
  if (!in.weight.empty() && in.weight.size() != in.edge.size()) {
    throw InvalidInput(fmt::format("{} incidence weights for {} incidences; give one each, or none",
                                   in.weight.size(), in.edge.size()));
  }
  if (in.edge.size() != in.node.size() || (!in.role.empty() && in.role.size() != in.edge.size())) {
    throw InvalidInput(
        fmt::format("incidence arrays differ in length: {} hyperedge ids, {} node ids, {} roles; "
                    "give one of each per incidence, or no roles",
                    in.edge.size(), in.node.size(), in.role.size()));
  }
}

void check_ids(const IncidenceArrays& in, Index node_count, Index edge_count, const Names& edge_names) {
  if (const Offset i = find_out_of_range(in.edge, edge_count); i != kNoOffset) {
    throw InvalidInput(fmt::format("incidence {}: hyperedge id {} is out of range; {}", i, in.edge[i],
                                   expected_range(edge_count, "hyperedges")));
  }
  if (const Offset i = find_out_of_range(in.node, node_count); i != kNoOffset) {
    throw InvalidInput(fmt::format("incidence {}, in hyperedge {}: node id {} is out of range; {}", i,
                                   edge_names.quoted(in.edge[i]), in.node[i],
                                   expected_range(node_count, "nodes")));
  }
}

void check_names(const Names& names, Index count, const char* what) {
  if (!names.implicit() && names.size() != count) {
    throw InvalidInput(fmt::format("{} names for {} {}; give one each, or none", names.size(), count, what));
  }
}

void check_weights(const std::vector<double>& weights, Index edge_count, const Names& edge_names) {
  if (weights.empty()) return;
  if (weights.size() != static_cast<std::size_t>(edge_count)) {
    throw InvalidInput(fmt::format("{} hyperedge weights for {} hyperedges; give one each, or none",
                                   weights.size(), edge_count));
  }
  const auto bad =
      std::find_if_not(weights.begin(), weights.end(), [](double w) { return std::isfinite(w) && w > 0; });
  if (bad != weights.end()) {
    throw InvalidInput(fmt::format("hyperedge {} has weight {}; expected a finite number above 0",
                                   edge_names.quoted(bad - weights.begin()), *bad));
  }
}

void check_length(std::size_t length, std::size_t expected, const char* what) {
  if (length == expected) return;
  throw InvalidInput(fmt::format("the {} have {} entries; expected {}", what, length, expected));
}

/// Rows of either view: how many are there.
std::size_t row_count(std::span<const Offset> ptr, const char* what) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<Index>::max());
  if (ptr.empty() || ptr.size() - 1 > kMost)
    throw InvalidInput(fmt::format("the beginnings of {} are {}; expected 1 to {}", what, ptr.size(), kMost));
  return ptr.size() - 1;
}

void check_views(const HypergraphViews& views) {
  const std::size_t edges = row_count(views.edge_ptr, "hyperedges");
  const std::size_t nodes = row_count(views.node_ptr, "nodes");
  const std::size_t incidences = views.member_nodes.size();
  check_length(views.head_begin.size(), edges, "beginnings of heads");
  check_length(views.node_head_begin.size(), nodes, "beginnings of heads of nodes");
  check_length(views.node_edges.size(), incidences, "hyperedges of nodes");
  check_length(views.node_incidences.size(), incidences, "incidences of nodes");
  if (!views.edge_weights.empty()) check_length(views.edge_weights.size(), edges, "weights of hyperedges");
  if (!views.incidence_weights.empty())
    check_length(views.incidence_weights.size(), incidences, "weights of incidences");
}

}  // namespace

Hypergraph::Hypergraph(const HypergraphViews& views, std::shared_ptr<const void> owner, Names node_names,
                       Names edge_names)
    : owner_(std::move(owner)),
      edge_ptr_(views.edge_ptr),
      head_begin_(views.head_begin),
      member_nodes_(views.member_nodes),
      node_ptr_(views.node_ptr),
      node_head_begin_(views.node_head_begin),
      node_edges_(views.node_edges),
      node_incidences_(views.node_incidences),
      edge_weights_(views.edge_weights),
      incidence_weights_(views.incidence_weights),
      node_names_(std::move(node_names)),
      edge_names_(std::move(edge_names)) {
  check_views(views);
  check_names(node_names_, node_count(), "nodes");
  check_names(edge_names_, edge_count(), "hyperedges");
}

Hypergraph::Hypergraph(Index node_count, Index edge_count, const IncidenceArrays& incidences,
                       OnConflict on_conflict, HypergraphExtras extras) {
  check_counts(node_count, edge_count);
  check_names(extras.node_names, node_count, "nodes");
  check_names(extras.edge_names, edge_count, "hyperedges");
  check_lengths(incidences);
  check_ids(incidences, node_count, edge_count, extras.edge_names);
  check_weights(extras.edge_weights, edge_count, extras.edge_names);

  const auto storage = std::make_shared<Storage>();
  storage->by_edge = group_by_edge(incidences, edge_count, on_conflict, extras.node_names, extras.edge_names);
  storage->by_node = group_by_node(storage->by_edge, node_count);
  const std::vector<double>& weights = extras.edge_weights;
  const bool unweighted = std::all_of(weights.begin(), weights.end(), [](double w) { return w == 1.0; });
  if (!unweighted) storage->edge_weights = std::move(extras.edge_weights);
  storage->incidence_weights =
      group_weights(incidences, storage->by_edge, extras.node_names, extras.edge_names);

  owner_ = storage;
  edge_ptr_ = storage->by_edge.ptr;
  head_begin_ = storage->by_edge.head_begin;
  member_nodes_ = storage->by_edge.nodes;
  node_ptr_ = storage->by_node.ptr;
  node_head_begin_ = storage->by_node.head_begin;
  node_edges_ = storage->by_node.edges;
  node_incidences_ = storage->by_node.incidences;
  edge_weights_ = storage->edge_weights;
  incidence_weights_ = storage->incidence_weights;
  node_names_ = std::move(extras.node_names);
  edge_names_ = std::move(extras.edge_names);
}

double Hypergraph::total_weight(Index e) const {
  if (!has_incidence_weights()) return static_cast<double>(size(e));
  double sum = 0;
  for (Offset i = edge_ptr_[e]; i < edge_ptr_[e + 1]; ++i) sum += incidence_weights_[i];
  return sum;
}

bool Hypergraph::has_directed_edges() const {
  for (Index e = 0; e < edge_count(); ++e) {
    if (is_directed(e)) return true;
  }
  return false;
}

std::size_t Hypergraph::memory_bytes() const {
  return edge_ptr_.size_bytes() + head_begin_.size_bytes() + member_nodes_.size_bytes() +
         node_ptr_.size_bytes() + node_head_begin_.size_bytes() + node_edges_.size_bytes() +
         node_incidences_.size_bytes() + edge_weights_.size_bytes() + incidence_weights_.size_bytes();
}

bool Hypergraph::operator==(const Hypergraph& other) const {
  const auto same = [](const auto& a, const auto& b) {
    return a.size() == b.size() && (a.data() == b.data() || std::equal(a.begin(), a.end(), b.begin()));
  };
  return same(edge_ptr_, other.edge_ptr_) && same(head_begin_, other.head_begin_) &&
         same(member_nodes_, other.member_nodes_) && same(node_ptr_, other.node_ptr_) &&
         same(node_head_begin_, other.node_head_begin_) && same(node_edges_, other.node_edges_) &&
         same(node_incidences_, other.node_incidences_) && same(edge_weights_, other.edge_weights_) &&
         same(incidence_weights_, other.incidence_weights_) && node_names_ == other.node_names_ &&
         edge_names_ == other.edge_names_;
}

}  // namespace dshn
