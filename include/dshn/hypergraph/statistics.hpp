#pragma once

#include <span>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn {

/// The structural columns of the paper's table 'Statistics of the datasets' and some more. Averages are over
/// all nodes and all hyperedges, isolated and empty ones included, and 0 where there are none.
struct Statistics {
  Index n_nodes = 0;
  Index n_hyperedges = 0;
  Offset n_incidences = 0;
  double avg_hyperedge_size = 0;
  double avg_node_degree = 0;
  Offset max_hyperedge_size = 0;
  Offset max_node_degree = 0;
  Index n_isolated_nodes = 0;
  Offset n_tail_incidences = 0;
  Offset n_head_incidences = 0;
  /// Hyperedges with tails and heads, and their share of all.
  Index n_directed_hyperedges = 0;
  double directed_share = 0;
  /// How many hyperedges have size s and how many nodes have degree k, for s and k from 0 to the largest.
  /// Empty when there are no hyperedges, or no nodes.
  std::vector<Index> size_histogram;
  std::vector<Index> degree_histogram;

  bool operator==(const Statistics&) const = default;
};

Statistics statistics(const Hypergraph& hypergraph);

/// Clique-expansion homophily: per node, the share of its neighbours that have its own class; then the mean
/// over all nodes. Neighbours share a hyperedge in any roles and count once; a node in some hyperedge is its
/// own neighbour too; a node in none counts 0. Nodes of unknown class (negative labels) are left out, as
/// neighbours and from the mean. Throws InvalidInput unless there is one label per node. Deterministic for
/// any number of threads.
double ce_homophily(const Hypergraph& hypergraph, std::span<const Index> labels);

}  // namespace dshn
