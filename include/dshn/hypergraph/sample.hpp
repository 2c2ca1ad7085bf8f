#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn {

/// How many are drawn at each step away from the items that a sample is about; 0: all.
struct Fanout {
  Index edges = 0;  // hyperedges of a node
  Index tails = 0;  // members of a hyperedge
  Index heads = 0;

  bool operator==(const Fanout&) const = default;
};

/// Some of a hypergraph, and what each incidence stands for, so that sums over the sample estimate those over the
/// whole. An incidence stands for `multiplicity` members of its hyperedge, the weight that it has in `hypergraph`, and
/// for `node_counts` hyperedges of its node. Both add up to what the whole has: over the tails and over the heads of a
/// hyperedge to their numbers, over the incidences of a node to its degree. (Each is multiplied by the weight that the
/// incidence has in the whole; sums are then right in the mean.)
struct Sample {
  Hypergraph hypergraph;
  /// Their numbers in the whole, ascending.
  std::vector<Index> nodes, edges;
  /// [nnz]: positions in the whole, by hyperedge, ascending.
  std::vector<Offset> incidences;
  std::vector<double> node_counts;
  /// [n]: which one of the nodes without a singleton each node is; -1 where it has one.
  std::vector<Index> loops;
  /// Where the items that were asked for are among the nodes or hyperedges, in their order.
  std::vector<Index> items;
};

/// Draws samples of one hypergraph. Not to be shared among threads: it keeps a table as long as the nodes and
/// hyperedges are many, so that a draw costs what it finds.
class Sampler {
 public:
  explicit Sampler(const Hypergraph& whole);

  /// The surroundings of some nodes. For each hop: each node that has come draws hyperedges, and each of those that
  /// came draws tails and heads by their own numbers; whom it came by is there anyway. Singletons come with their nodes.
  /// The same seed gives the same sample. UsageError for nodes out of range or named twice.
  Sample around_nodes(std::span<const Index> nodes, std::span<const Fanout> hops, std::uint64_t seed);
  /// The same of hyperedges, which draw members by the first of the hops; these draw by all of them.
  Sample around_edges(std::span<const Index> edges, std::span<const Fanout> hops, std::uint64_t seed);
  /// All hyperedges of some nodes, with those members that are among them; nothing is drawn.
  Sample among_nodes(std::span<const Index> nodes);

 private:
  class Draw;

  Hypergraph whole_;
  std::vector<Index> place_of_node_;  // -1: not in the sample under way
  std::vector<Index> place_of_edge_;
  std::vector<Index> with_singleton_;  // nodes, ascending
};

}  // namespace dshn
