#pragma once

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

/// What RapidCheck draws.
namespace dshn::test {

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

/// Mixed directed and undirected, with or without names and weights of hyperedges and incidences, isolated nodes and
/// empty hyperedges.
inline Hypergraph any_hypergraph() {
  const RawIncidences raw = any_incidences();
  HypergraphExtras extras{{}, any_names(raw.nodes), any_names(raw.edges)};
  if (*rc::gen::arbitrary<bool>()) {
    for (Index e = 0; e < raw.edges; ++e) extras.edge_weights.push_back(*rc::gen::inRange(1, 9) * 0.5);
  }
  IncidenceArrays arrays = raw.arrays();
  std::vector<double> weights;
  if (*rc::gen::arbitrary<bool>()) {
    for (std::size_t i = 0; i < raw.edge.size(); ++i) weights.push_back(*rc::gen::inRange(1, 9) * 0.5);
    arrays.weight = weights;
  }
  return {raw.nodes, raw.edges, arrays, OnConflict::keep_tail, std::move(extras)};
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
