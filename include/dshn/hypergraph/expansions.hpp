#pragma once

#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn {

/// A weighted directed graph, arcs grouped by source: those of v lead to targets[ptr[v] .. ptr[v+1]),
/// ascending and distinct. An undirected graph stores each of its edges as two arcs. There are no self-loops.
struct Graph {
  std::vector<Offset> ptr{0};
  std::vector<Index> targets;
  std::vector<double> weights;

  Index node_count() const { return static_cast<Index>(ptr.size()) - 1; }
  Offset arc_count() const { return static_cast<Offset>(targets.size()); }
  bool operator==(const Graph&) const = default;
};

/// Undirected, on the same nodes: two nodes are joined when they share a hyperedge, whatever their roles; the
/// weight is the sum of the weights of the hyperedges they share, each times the weights of both incidences. Time is the sum of |e|^2, memory the size
/// of the result.
Graph clique_expansion(const Hypergraph& hypergraph);

/// On n + m nodes, hyperedge e being node n + e: an arc from each tail to its hyperedge and from the
/// hyperedge to each head; for undirected hyperedges an arc both ways for each member. Weights are the
/// hyperedges' times the incidences'.
Graph star_expansion(const Hypergraph& hypergraph);

/// Undirected, with one node per incidence, numbered as in Hypergraph::member_nodes(): two incidences are
/// joined when they share their hyperedge (weight: the hyperedge's) or their node (weight: 1), whatever they weigh
/// themselves. They cannot
/// share both. The number of arcs is the sum of |e|(|e|-1) and of deg(v)(deg(v)-1). Throws UsageError when
/// there are more incidences than 32-bit ids.
Graph line_expansion(const Hypergraph& hypergraph);

}  // namespace dshn
