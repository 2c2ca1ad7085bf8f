#pragma once

#include <vector>

#include "dshn/parts/part.hpp"
#include "dshn/parts/partition.hpp"

namespace dshn::parts {

/// The plans of all parts, and where in them the items of the whole are.
struct Plans {
  std::vector<Plan> of_part;
  /// Of each node: its number in its part.
  std::vector<Index> local_node;
  /// Of each hyperedge: the part that counts it, and its number there.
  std::vector<std::int32_t> owner;
  std::vector<Index> local_edge;
};

/// UsageError for a partition of another number of nodes, or of a part out of range.
Plans make_plans(const Hypergraph& hypergraph, const Partition& partition);

}  // namespace dshn::parts
