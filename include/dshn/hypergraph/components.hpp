#pragma once

#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn {

/// A partition of the nodes, numbered by each part's smallest node.
struct Components {
  /// Component of each node.
  std::vector<Index> of_node;
  /// Nodes in each component.
  std::vector<Index> sizes;

  Index count() const { return static_cast<Index>(sizes.size()); }
  bool operator==(const Components&) const = default;
};

/// Members of one hyperedge are connected, whatever their roles. An isolated node is a component of its own.
Components connected_components(const Hypergraph& hypergraph);

/// As above, but a directed hyperedge connects its tails among themselves and its heads among themselves, not
/// the two sides with each other. Where tails and heads are pure in class, so is every component.
Components role_components(const Hypergraph& hypergraph);

}  // namespace dshn
