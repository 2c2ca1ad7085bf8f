#pragma once

#include <span>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn {

/// Positions of an array sorted by key, stably: those of key k are order[ptr[k] .. ptr[k+1]).
struct Grouping {
  std::vector<Offset> ptr;
  std::vector<Offset> order;
};

/// Parallel counting sort in two passes (coarse buckets, then keys inside a bucket), so that both passes write to
/// memory that fits a cache. Keys must lie in [0, key_count). The result does not depend on the number of threads.
Grouping group_by(std::span<const Index> keys, Index key_count);

}  // namespace dshn
