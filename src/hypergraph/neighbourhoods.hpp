#pragma once

#include <vector>

#include "dshn/base/parallel_rows.hpp"
#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn {

/// Calls visit(v, neighbours) once for every node, concurrently. The neighbours are the other nodes that
/// share a hyperedge with v, each once, in the order in which the hyperedges of v first list them; visit may
/// reorder them. Time is the sum of |e|^2, shared evenly among the threads; memory is one mark per node and
/// thread.
template <typename Visit>
void for_each_neighbourhood(const Hypergraph& h, const Visit& visit) {
  std::vector<Offset> work_ptr(static_cast<std::size_t>(h.node_count()) + 1, 0);
  for (Index v = 0; v < h.node_count(); ++v) {
    work_ptr[v + 1] = work_ptr[v];
    for (const Index e : h.edges_of(v)) work_ptr[v + 1] += h.size(e);
  }
  parallel_rows(work_ptr, kGrain, [&](Offset first, Offset last) {
    std::vector<Index> seen_from(h.node_count(), -1);
    std::vector<Index> neighbours;
    for (Offset row = first; row < last; ++row) {
      const auto v = static_cast<Index>(row);
      seen_from[v] = v;
      neighbours.clear();
      for (const Index e : h.edges_of(v)) {
        for (const Index u : h.members(e)) {
          if (seen_from[u] == v) continue;
          seen_from[u] = v;
          neighbours.push_back(u);
        }
      }
      visit(v, neighbours);
    }
  });
}

}  // namespace dshn
