#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cli/terminal.hpp"
#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn::cli {

/// How many items have a value from `first` to `last`.
struct Bucket {
  std::int64_t first = 0, last = 0, count = 0;
};

/// counts[k] items have the value k. Buckets 0, 1, 2, 3-4, 5-8, 9-16 and so on, from the first to the last
/// that hold anything; one bucket per value where there are few.
std::vector<Bucket> buckets(std::span<const Index> counts);

/// One line per bucket with its count and a bar.
std::string draw_histogram(std::span<const Index> counts, const Terminal& terminal);

}  // namespace dshn::cli
