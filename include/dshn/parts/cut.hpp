#pragma once

#include <vector>

#include "dshn/parts/part.hpp"
#include "dshn/parts/partition.hpp"

namespace dshn::parts {

/// The parts of a data set, in time and memory linear in it. Nodes and hyperedges keep their names: where they had
/// none, these are their numbers in the whole. Each part has the name of the whole, its columns, classes and as many
/// splits. UsageError for a partition of another number of nodes, or of a part out of range.
///
/// A part in which all weights are 1 has none, whatever the whole has.
std::vector<Part> cut(const data::Dataset& dataset, const Partition& partition);

}  // namespace dshn::parts
