#pragma once

#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/parts/partition.hpp"

namespace dshn::parts {

/// UsageError for a partition of another number of nodes, or of a part out of range.
void check(const Hypergraph& hypergraph, const Partition& partition);

}  // namespace dshn::parts
