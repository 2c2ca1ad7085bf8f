#pragma once

#include <vector>

#include "dshn/parts/partition.hpp"
#include "hypergraph/any_hypergraph.hpp"

namespace dshn::parts::testing {

/// What RapidCheck draws.
inline Partition any_partition(Index nodes) {
  const int parts = *rc::gen::inRange(1, 5);
  return {parts, *rc::gen::container<std::vector<std::int32_t>>(static_cast<std::size_t>(nodes),
                                                                rc::gen::inRange<std::int32_t>(0, parts))};
}

}  // namespace dshn::parts::testing
