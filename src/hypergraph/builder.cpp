#include "dshn/hypergraph/builder.hpp"

#include <limits>
#include <utility>

#include "dshn/hypergraph/error.hpp"

namespace dshn {
namespace {

/// new_id[old] for an order in which item i of the result is the old item order[i]; names follow.
std::vector<Index> renumber(const std::vector<Index>& order, std::vector<Name>& names) {
  std::vector<Index> new_id(order.size());
  std::vector<Name> reordered;
  reordered.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    new_id[order[i]] = static_cast<Index>(i);
    reordered.push_back(std::move(names[order[i]]));
  }
  names = std::move(reordered);
  return new_id;
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

Index HypergraphBuilder::node(const Name& name) { return intern(name, node_ids_, node_names_); }

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
  edges_.push_back(edge_id);
  nodes_.push_back(node_id);
  roles_.push_back(role);
}

void HypergraphBuilder::weight(Index edge_id, double value) {
  weights_[edge_id] = value;
  weighted_ = true;
}

void HypergraphBuilder::reorder_nodes(const std::vector<Index>& order) {
  relabel(renumber(order, node_names_), nodes_, node_ids_);
}

void HypergraphBuilder::reorder_edges(const std::vector<Index>& order) {
  const std::vector<Index> new_id = renumber(order, edge_names_);
  relabel(new_id, edges_, edge_ids_);
  std::vector<double> reordered(weights_.size());
  for (std::size_t old = 0; old < weights_.size(); ++old) reordered[new_id[old]] = weights_[old];
  weights_ = std::move(reordered);
}

Hypergraph HypergraphBuilder::build(OnConflict on_conflict) {
  HypergraphExtras extras{weighted_ ? std::move(weights_) : std::vector<double>{}, Names(node_names_),
                          Names(edge_names_)};
  const Index nodes = node_count();
  const Index edges = edge_count();
  const HypergraphBuilder taken = std::exchange(*this, HypergraphBuilder());
  return {nodes, edges, {taken.edges_, taken.nodes_, taken.roles_}, on_conflict, std::move(extras)};
}

}  // namespace dshn
