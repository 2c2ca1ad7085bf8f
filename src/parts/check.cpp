#include "parts/check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"

namespace dshn::parts {

void check(const Hypergraph& hypergraph, const Partition& partition) {
  if (partition.parts < 1) {
    throw UsageError(fmt::format("a partition into {} parts, expected 1 or more", partition.parts));
  }
  if (partition.part_of_node.size() != static_cast<std::size_t>(hypergraph.node_count())) {
    throw UsageError(fmt::format("a partition of {} nodes for a hypergraph of {}",
                                 partition.part_of_node.size(), hypergraph.node_count()));
  }
  const auto outside = [&](std::int32_t part) { return part < 0 || part >= partition.parts; };
  const auto found = std::ranges::find_if(partition.part_of_node, outside);
  if (found == partition.part_of_node.end()) return;
  throw UsageError(fmt::format("node {} is in part {}, expected 0 to {}",
                               found - partition.part_of_node.begin(), *found, partition.parts - 1));
}

}  // namespace dshn::parts
