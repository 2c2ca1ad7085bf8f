#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn {

constexpr Offset kNoOffset = std::numeric_limits<Offset>::max();

/// Position of the first id outside 0..count-1, or kNoOffset.
Offset find_out_of_range(std::span<const Index> ids, Index count);

/// The second half of a message about an id out of range.
std::string expected_range(Index count, const char* what);

/// new_id[old] for an order in which item i of the result is the old item order[i]. Throws UsageError unless
/// the order is a permutation of 0..count-1; `what` names the items.
std::vector<Index> inverse_permutation(std::span<const Index> order, std::size_t count, const char* what);

}  // namespace dshn
