#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/hypergraph.hpp"
#include "support/message_of.hpp"
#include "support/with_threads.hpp"

namespace dshn::test {

/// One hyperedge by hand: {tails} -> {heads}.
struct Edge {
  std::vector<Index> tail;
  std::vector<Index> head = {};
};

inline Hypergraph hypergraph_of(Index nodes, const std::vector<Edge>& edges, HypergraphExtras extras = {}) {
  std::vector<Index> edge;
  std::vector<Index> node;
  std::vector<Role> role;
  const auto add = [&](Index e, const std::vector<Index>& members, Role r) {
    edge.insert(edge.end(), members.size(), e);
    node.insert(node.end(), members.begin(), members.end());
    role.insert(role.end(), members.size(), r);
  };
  for (Index e = 0; e < static_cast<Index>(edges.size()); ++e) {
    add(e, edges[e].tail, Role::tail);
    add(e, edges[e].head, Role::head);
  }
  return {nodes, static_cast<Index>(edges.size()), {edge, node, role}, OnConflict::error, std::move(extras)};
}

template <typename T>
std::vector<T> to_vector(std::span<const T> items) {
  return {items.begin(), items.end()};
}

}  // namespace dshn::test
