#include "dshn/hypergraph/builder.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "dshn/base/error.hpp"
#include "hypergraph/ids.hpp"

namespace dshn {
namespace {

/// Moves item i to place new_id[i].
template <typename T>
void scatter(const std::vector<Index>& new_id, std::vector<T>& items) {
  std::vector<T> moved(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) moved[new_id[i]] = std::move(items[i]);
  items = std::move(moved);
}

template <typename Lookup>
void relabel(const std::vector<Index>& new_id, std::vector<Index>& ids, Lookup& lookup) {
  for (Index& id : ids) id = new_id[id];
  for (auto& [name, id] : lookup) id = new_id[id];
}

}  // namespace

Index HypergraphBuilder::intern(const Name& name, Lookup& lookup, std::vector<Name>& names) {
  if (names.size() >= static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
    throw InvalidInput("more than 2^31 - 1 nodes or hyperedges; ids are 32-bit");
  }
  const auto [entry, is_new] = lookup.try_emplace(name, static_cast<Index>(names.size()));
  if (is_new) names.push_back(name);
  return entry->second;
}

Index HypergraphBuilder::node(const Name& name) {
  return intern(name, node_ids_, node_names_);
}

Index HypergraphBuilder::edge(const Name& name) {
  const Index id = intern(name, edge_ids_, edge_names_);
  weights_.resize(edge_names_.size(), 1.0);
  return id;
}

void HypergraphBuilder::incidence(const Name& edge_name, const Name& node_name, Role role) {
  const Index edge_id = edge(edge_name);
  incidence(edge_id, node(node_name), role);
}

void HypergraphBuilder::incidence(Index edge_id, Index node_id, Role role) {
  if (edge_id < 0 || edge_id >= edge_count() || node_id < 0 || node_id >= node_count()) {
    throw UsageError(
        fmt::format("incidence of hyperedge {} and node {}, but there are {} hyperedges and {} nodes; "
                    "name them first",
                    edge_id, node_id, edge_count(), node_count()));
  }
  edges_.push_back(edge_id);
  nodes_.push_back(node_id);
  roles_.push_back(role);
  if (!incidence_weights_.empty()) incidence_weights_.push_back(1.0);
}

void HypergraphBuilder::incidence_weight(double value) {
  if (nodes_.empty()) throw UsageError("weight of an incidence, but there is none; add it first");
  incidence_weights_.resize(nodes_.size(), 1.0);
  incidence_weights_.back() = value;
}

void HypergraphBuilder::weight(Index edge_id, double value) {
  if (edge_id < 0 || edge_id >= edge_count()) {
    throw UsageError(fmt::format("weight of hyperedge {}, but there are {} hyperedges; name it first",
                                 edge_id, edge_count()));
  }
  weights_[edge_id] = value;
  weighted_ = true;
}

void HypergraphBuilder::reorder_nodes(const std::vector<Index>& order) {
  const std::vector<Index> new_id = inverse_permutation(order, node_names_.size(), "nodes");
  relabel(new_id, nodes_, node_ids_);
  scatter(new_id, node_names_);
}

void HypergraphBuilder::reorder_edges(const std::vector<Index>& order) {
  const std::vector<Index> new_id = inverse_permutation(order, edge_names_.size(), "hyperedges");
  relabel(new_id, edges_, edge_ids_);
  scatter(new_id, edge_names_);
  scatter(new_id, weights_);
}

Hypergraph HypergraphBuilder::build(OnConflict on_conflict) {
  HypergraphExtras extras{weighted_ ? std::move(weights_) : std::vector<double>{}, Names(node_names_),
                          Names(edge_names_)};
  const Index nodes = node_count();
  const Index edges = edge_count();
  const HypergraphBuilder taken = std::exchange(*this, HypergraphBuilder());
  return {nodes,
          edges,
          {taken.edges_, taken.nodes_, taken.roles_, taken.incidence_weights_},
          on_conflict,
          std::move(extras)};
}

}  // namespace dshn
