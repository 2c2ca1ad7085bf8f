#pragma once

#include <cstdint>
#include <vector>

#include "dshn/data/dataset.hpp"

/// Data sets in parts, one for each process that trains on them together.
///
/// A node is in one part, with all its incidences; a hyperedge is in every part that has a member of it, with those
/// members alone. So a sum over the hyperedges of a node needs one part, and a sum over the members of a hyperedge
/// is a sum of its parts' sums: that is all the traffic there is.
namespace dshn::parts {

/// What a part knows of the others.
struct Plan {
  int part = 0;
  int parts = 1;

  /// Sizes of the whole, and whether some hyperedge of it has both tails and heads.
  Index all_nodes = 0;
  Index all_edges = 0;
  Offset all_incidences = 0;
  bool directed = false;

  /// The number in the whole of each node, ascending.
  std::vector<Index> nodes;
  /// The number in the whole of each hyperedge: first those that other parts have too, then the others, both
  /// ascending. A hyperedge without members is in part 0.
  std::vector<Index> edges;
  /// The position in the whole of each incidence, by hyperedge.
  std::vector<Offset> incidences;
  /// Of each hyperedge: how many members it has in the whole, and whether it is directed there.
  std::vector<Offset> sizes;
  std::vector<std::uint8_t> edge_directed;
  /// Of each node: -1 where some hyperedge of the whole has this node alone; else how many nodes before it in the whole
  /// have no such hyperedge: the number of the self-loop that models add for it.
  std::vector<Index> loops;

  /// How many hyperedges other parts have too; these are the first.
  Index shared = 0;
  /// Each of them is added up by one part, its owner: the one with most members, of equals the first.
  /// to_owner[p]: shared hyperedges of this part, by their number here, that part p adds up, ascending in the whole;
  /// none for this part itself.
  std::vector<std::vector<Index>> to_owner;
  /// of_others[p]: those that this part adds up and part p has too, ascending in the whole: what p's to_owner says of
  /// this part.
  std::vector<std::vector<Index>> of_others;
  /// Of each hyperedge: whether this part counts it as its own item (it is the owner, or nobody else has it).
  std::vector<std::uint8_t> owned;
};

struct Part {
  Plan plan;
  /// The nodes and hyperedges of the part, in its own numbers, with their features, targets and splits. Where items
  /// are hyperedges, splits hold those that are owned.
  data::Dataset dataset;
};

}  // namespace dshn::parts
