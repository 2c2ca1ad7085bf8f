#pragma once

#include "dshn/hypergraph/builder.hpp"
#include "dshn/io/array.hpp"

/// Small things to write seeds with.
namespace dshn::fuzz {

/// Words and integers as names, directed and undirected hyperedges, weights of both kinds, an isolated node and an
/// empty hyperedge.
inline Hypergraph mixed_hypergraph() {
  HypergraphBuilder builder;
  builder.incidence({"e", false}, {"a \"b\", c", false});
  builder.incidence({"e", false}, {"7", true}, Role::head);
  builder.incidence_weight(2.5);
  builder.incidence({"3", true}, {"7", true});
  builder.incidence({"3", true}, {"7", false});
  builder.weight(1, 0.25);
  builder.node({"\xc3\xa9", false});
  builder.edge({"#", false});
  return builder.build();
}

/// Four nodes 0..3 and two hyperedges, one of them directed.
inline Hypergraph plain_hypergraph() {
  HypergraphBuilder builder;
  for (Index v = 0; v < 4; ++v) builder.node({std::to_string(v), true});
  const Index directed = builder.edge({"0", true});
  builder.incidence(directed, 0);
  builder.incidence(directed, 1, Role::head);
  const Index undirected = builder.edge({"1", true});
  for (const Index v : {1, 2, 3}) builder.incidence(undirected, v);
  return builder.build();
}

inline io::Arrays arrays_of_all_kinds() {
  return {{"b", io::Array::of(std::vector<bool>{true, false}, {2})},
          {"i", io::Array::of(std::vector<std::int64_t>{-1, 2, 3, 4, 5, 6}, {2, 3})},
          {"f", io::Array::of(std::vector<float>{0.5F}, {1, 1, 1})},
          {"d", io::Array::of(std::vector<double>{1e300}, {})},
          {"none", io::Array::of(std::vector<double>{}, {0, 3})},
          {"c", io::Array::of(std::vector<std::complex<double>>{{1, -1}}, {1})},
          {"t", io::Array::of(std::vector<std::string>{"a", "\xc3\xa9", ""}, {3})}};
}

}  // namespace dshn::fuzz
