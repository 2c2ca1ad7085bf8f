#include <algorithm>

#include "dshn/parts/divide.hpp"
#include "parts/check.hpp"

namespace dshn::parts {

Cut measure(const Hypergraph& hypergraph, const Partition& partition) {
  check(hypergraph, partition);
  Cut cut;
  std::vector<Offset> incidences(static_cast<std::size_t>(partition.parts), 0);
  std::vector<Index> last(static_cast<std::size_t>(partition.parts), -1);  // hyperedge that was seen there
  for (Index e = 0; e < hypergraph.edge_count(); ++e) {
    std::int64_t touched = 0;
    for (const Index v : hypergraph.members(e)) {
      const auto part = static_cast<std::size_t>(partition.part_of_node[static_cast<std::size_t>(v)]);
      ++incidences[part];
      if (last[part] != e) ++touched;
      last[part] = e;
    }
    cut.traffic += std::max<std::int64_t>(touched - 1, 0);
    if (touched > 1) ++cut.shared_edges;
  }
  if (hypergraph.incidence_count() == 0) return cut;
  const auto most = static_cast<double>(*std::ranges::max_element(incidences));
  cut.imbalance = most * partition.parts / static_cast<double>(hypergraph.incidence_count()) - 1;
  return cut;
}

}  // namespace dshn::parts
