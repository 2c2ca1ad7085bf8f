#pragma once

#include <cstdint>
#include <span>

#include "dshn/base/parallel.hpp"

namespace dshn {

/// Where to cut the rows of a compressed structure so that the entries, not the rows, are evenly shared: the
/// sizes of hyperedges and the degrees of nodes are often very unequal. Row r begins at unit
/// ptr[r] - ptr[0] + r of the work, one unit for each entry and each row before it; the result is the first row that begins
/// at `unit` or after it.
inline std::int64_t first_row_from(std::int64_t unit, const std::int64_t* ptr, std::int64_t rows) {
  std::int64_t low = 0;
  for (std::int64_t high = rows; low < high;) {
    const std::int64_t middle = low + (high - low) / 2;
    if (ptr[middle] - ptr[0] + middle < unit) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// parallel_for over rows, cut by first_row_from. `grain` counts entries and rows.
template <typename Body>
void parallel_rows(std::span<const std::int64_t> ptr, std::int64_t grain, const Body& body) {
  const auto rows = static_cast<std::int64_t>(ptr.size()) - 1;
  parallel_for(ptr[rows] - ptr[0] + rows, grain, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t first = first_row_from(begin, ptr.data(), rows);
    const std::int64_t last = first_row_from(end, ptr.data(), rows);
    if (first < last) body(first, last);
  });
}

}  // namespace dshn
