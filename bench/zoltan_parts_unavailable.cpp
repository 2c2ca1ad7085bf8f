// Stands in for zoltan_parts.cpp in a build without Zoltan.
#include "dshn/base/error.hpp"
#include "zoltan_parts.hpp"

namespace dshn::bench {

bool has_zoltan() {
  return false;
}

parts::Partition parts_by_zoltan(const Hypergraph&, int, std::uint64_t) {
  throw Failure("this build has no Zoltan");
}

}  // namespace dshn::bench
