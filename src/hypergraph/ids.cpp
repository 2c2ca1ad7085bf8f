#include "hypergraph/ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "dshn/base/error.hpp"
#include "dshn/base/parallel.hpp"

namespace dshn {

Offset find_out_of_range(std::span<const Index> ids, Index count) {
  std::atomic<Offset> first{kNoOffset};
  parallel_for(static_cast<Offset>(ids.size()), kGrain, [&](Offset begin, Offset end) {
    const auto bad = std::find_if(ids.begin() + begin, ids.begin() + end,
                                  [count](Index id) { return id < 0 || id >= count; });
    const Offset i = bad - ids.begin();
    Offset seen = first.load();
    while (i < end && i < seen && !first.compare_exchange_weak(seen, i)) {
    }
  });
  return first.load();
}

std::string expected_range(Index count, const char* what) {
  return count > 0 ? fmt::format("expected 0..{}", count - 1) : fmt::format("there are no {}", what);
}

std::vector<Index> inverse_permutation(std::span<const Index> order, std::size_t count, const char* what) {
  if (order.size() != count) {
    throw UsageError(fmt::format("the new order lists {} {} of {}; expected each of them once", order.size(),
                                 what, count));
  }
  std::vector<Index> new_id(count, -1);
  for (std::size_t i = 0; i < count; ++i) {
    const Index old = order[i];
    if (old < 0 || static_cast<std::size_t>(old) >= count || new_id[old] >= 0) {
      throw UsageError(fmt::format(
          "the new order of {} {} is not a permutation: {} at position {} is {}", count, what, old, i,
          old < 0 || static_cast<std::size_t>(old) >= count ? "out of range" : "repeated"));
    }
    new_id[old] = static_cast<Index>(i);
  }
  return new_id;
}

}  // namespace dshn
