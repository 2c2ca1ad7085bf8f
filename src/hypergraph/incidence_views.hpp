#pragma once

#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn {

/// The arrays of Hypergraph's by-hyperedge view.
struct EdgeView {
  std::vector<Offset> ptr;
  std::vector<Offset> head_begin;
  std::vector<Index> nodes;
};

/// The arrays of Hypergraph's by-node view.
struct NodeView {
  std::vector<Offset> ptr;
  std::vector<Offset> head_begin;
  std::vector<Index> edges;
  std::vector<Offset> incidences;
};

/// Groups incidences, whose ids are in range, by hyperedge and sorts the members of each. Throws InvalidInput
/// on the first hyperedge with a repeated member when the rule is OnConflict::error.
EdgeView group_by_edge(const IncidenceArrays& incidences, Index edge_count, OnConflict rule,
                       const Names& node_names, const Names& edge_names);

NodeView group_by_node(const EdgeView& view, Index node_count);

}  // namespace dshn
