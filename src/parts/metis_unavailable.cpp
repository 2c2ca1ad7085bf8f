// Stands in for metis.cpp in a build without METIS.
#include "dshn/base/error.hpp"
#include "parts/metis.hpp"

namespace dshn::parts {

bool has_metis() {
  return false;
}

void check_fits_metis(Index, Index, Offset) {}

std::vector<std::vector<std::int32_t>> divide_by_metis(const Hypergraph&, int, std::uint64_t) {
  throw UsageError("metis: this build has no METIS; nodes can be divided by block");
}

}  // namespace dshn::parts
