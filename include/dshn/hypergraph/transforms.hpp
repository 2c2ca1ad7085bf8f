#pragma once

#include <span>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn {

// Hypergraphs from a graph and from other hypergraphs. Names of nodes and hyperedges and weights of hyperedges
// and incidences stay with them.

/// Arcs of a directed graph as two parallel columns of node ids.
struct ArcColumns {
  std::span<const Index> column0;
  std::span<const Index> column1;
  /// Whether an arc leaves the node in column 0 (as in most files) or the one in column 1 (as in citation
  /// lists that name the cited paper's citers).
  bool column0_is_tail = true;
  /// One per arc, or empty: no weights.
  std::span<const double> weight = {};
};

/// The paper's 'Directed Hypergraph from a Directed Graph': one hyperedge per node v with at least one
/// outgoing arc, ordered by v, with tail {v} and the out-neighbours of v as head. Repeated arcs are merged. A
/// self-loop adds nothing, since v is a member already, but a node whose only arc is a self-loop still gives
/// the hyperedge {v}. Throws InvalidInput on columns of different length and on ids out of range.
///
/// The weight of an arc becomes that of its head's incidence, and weights of repeated arcs add up. A tail has the
/// mean of its heads' weights, or of its self-loop where it has no heads: so nothing changes with the unit that
/// weights are measured in.
Hypergraph from_directed_graph(Index node_count, const ArcColumns& arcs, Names node_names = {});

/// Tails become heads and heads tails. Undirected hyperedges stay as they are.
Hypergraph reversed(const Hypergraph& hypergraph);

/// Every member becomes a tail.
Hypergraph without_direction(const Hypergraph& hypergraph);

/// Without the incidences at these positions of the by-hyperedge view. Nodes and hyperedges keep their ids, those
/// that have lost every incidence too. Throws UsageError on positions out of range, as turned_at() does.
Hypergraph without_incidences(const Hypergraph& hypergraph, std::span<const Offset> incidences);

/// At these positions of the by-hyperedge view tails become heads and heads tails, the others stay.
Hypergraph turned_at(const Hypergraph& hypergraph, std::span<const Offset> incidences);

/// A singleton hyperedge {v} is added behind the others, with weights 1, for each node v that has none yet.
/// Where the hyperedges have names, the new ones are named after their nodes.
Hypergraph with_self_loops(const Hypergraph& hypergraph);
/// The same for these nodes, whatever they have.
Hypergraph with_singletons(const Hypergraph& hypergraph, std::span<const Index> nodes);

/// Isolated nodes and empty hyperedges of the given names are added behind the others. Weights, where any are
/// given, are those of all hyperedges of the result.
Hypergraph with_items(const Hypergraph& hypergraph, std::span<const Name> nodes, std::span<const Name> edges,
                      std::vector<double> edge_weights = {});

/// Renumbers: node i of the result is node node_order[i], and the same for hyperedges. Throws UsageError
/// unless both orders are permutations.
Hypergraph permuted(const Hypergraph& hypergraph, std::span<const Index> node_order,
                    std::span<const Index> edge_order);

/// A part of a hypergraph and where it came from.
struct SubHypergraph {
  Hypergraph hypergraph;
  /// Old id of each new node and hyperedge.
  std::vector<Index> nodes, edges;
  /// New id of each old node and hyperedge, -1 for those that are gone.
  std::vector<Index> new_node, new_edge;
};

/// Which hyperedges survive when some of their members do not.
enum class KeepEdges : std::uint8_t {
  /// Those that still have a member; they shrink, and may so become undirected.
  nonempty,
  /// Those that have lost nobody.
  whole,
  /// All, if need be as empty hyperedges, so that the hyperedges keep their ids.
  all,
};

/// The sub-hypergraph on the chosen nodes, numbered in the given order. Throws UsageError on ids out of range
/// or repeated.
SubHypergraph induced(const Hypergraph& hypergraph, std::span<const Index> nodes,
                      KeepEdges keep = KeepEdges::nonempty);

/// The nodes that are in some hyperedge, in their old order, and all hyperedges.
SubHypergraph without_isolated_nodes(const Hypergraph& hypergraph);

}  // namespace dshn
