#pragma once

#include <cstdint>
#include <vector>

namespace dshn::parts {

/// Which part each node is in: a number from 0 to parts - 1. A part may be empty.
struct Partition {
  int parts = 1;
  std::vector<std::int32_t> part_of_node;

  bool operator==(const Partition&) const = default;
};

}  // namespace dshn::parts
