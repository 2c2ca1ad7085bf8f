#pragma once

#include <span>

#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/hypergraph/parallel.hpp"

namespace dshn {

/// parallel_for over the rows of a compressed structure, cut where the entries (not the rows) are evenly
/// shared: the sizes of hyperedges and the degrees of nodes are often very unequal. `grain` counts entries
/// and rows.
template <typename Body>
void parallel_rows(std::span<const Offset> ptr, Offset grain, const Body& body) {
  const Offset rows = static_cast<Offset>(ptr.size()) - 1;
  // Row r begins at unit ptr[r] + r of the work: the place of its first entry, plus one unit for each row
  // before it.
  const auto first_row_from = [&](Offset unit) {
    Offset low = 0;
    for (Offset high = rows; low < high;) {
      const Offset middle = low + (high - low) / 2;
      if (ptr[middle] - ptr[0] + middle < unit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  parallel_for(ptr[rows] - ptr[0] + rows, grain, [&](Offset begin, Offset end) {
    const Offset first = first_row_from(begin);
    const Offset last = first_row_from(end);
    if (first < last) body(first, last);
  });
}

}  // namespace dshn
