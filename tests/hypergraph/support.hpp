#pragma once

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

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

/// Incidences in any order, repetitions included.
struct RawIncidences {
  Index nodes = 0;
  Index edges = 0;
  std::vector<Index> edge;
  std::vector<Index> node;
  std::vector<Role> role;

  IncidenceArrays arrays() const { return {edge, node, role}; }
};

inline RawIncidences any_incidences() {
  RawIncidences raw;
  raw.nodes = *rc::gen::inRange<Index>(1, 12);
  raw.edges = *rc::gen::inRange<Index>(1, 9);
  const auto count = *rc::gen::inRange<std::size_t>(0, 60);
  raw.edge = *rc::gen::container<std::vector<Index>>(count, rc::gen::inRange<Index>(0, raw.edges));
  raw.node = *rc::gen::container<std::vector<Index>>(count, rc::gen::inRange<Index>(0, raw.nodes));
  raw.role = *rc::gen::container<std::vector<Role>>(count, rc::gen::element(Role::tail, Role::head));
  return raw;
}

inline Names any_names(Index count) {
  if (*rc::gen::arbitrary<bool>()) return {};
  std::vector<Name> names;
  names.reserve(count);
  for (Index i = 0; i < count; ++i) names.push_back(Name::string("item-" + std::to_string(i)));
  return Names(names);
}

/// Mixed directed and undirected, with or without weights and names, isolated nodes and empty hyperedges.
inline Hypergraph any_hypergraph() {
  const RawIncidences raw = any_incidences();
  HypergraphExtras extras{{}, any_names(raw.nodes), any_names(raw.edges)};
  if (*rc::gen::arbitrary<bool>()) {
    for (Index e = 0; e < raw.edges; ++e) extras.edge_weights.push_back(*rc::gen::inRange(1, 9) * 0.5);
  }
  return {raw.nodes, raw.edges, raw.arrays(), OnConflict::keep_tail, std::move(extras)};
}

inline std::vector<Index> any_permutation(Index count) {
  std::vector<Index> order(count);
  for (Index i = 0; i < count; ++i) order[i] = i;
  for (Index left = count; left > 1; --left) {
    std::swap(order[left - 1], order[*rc::gen::inRange<Index>(0, left)]);
  }
  return order;
}

}  // namespace dshn::test
