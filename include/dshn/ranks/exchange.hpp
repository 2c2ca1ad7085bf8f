#pragma once

#include <cstdint>
#include <memory>

#include "dshn/ops/exchange.hpp"
#include "dshn/parts/part.hpp"
#include "dshn/ranks/group.hpp"

namespace dshn::ranks {

/// What operators have sent to other ranks.
struct Traffic {
  std::int64_t exchanges = 0;  // of rows, each with all others: two for every sum over members
  std::int64_t bytes = 0;      // of these rows
  std::int64_t widest = 0;     // bytes of the widest row
};

/// What the operators of part number group->rank() ask of the others. The partial sums of a hyperedge go to its owner,
/// which adds them to its own in the order of the ranks, and the total comes back. UsageError where the plan is not of
/// this rank and this number of ranks. `traffic` grows with all that this rank sends.
std::shared_ptr<const ops::Exchange> make_exchange(
    const parts::Plan& plan, std::shared_ptr<const Group> group,
    std::shared_ptr<Traffic> traffic = std::make_shared<Traffic>());

/// Of the only part there is: sends nothing, and works as if another one, without members of its own, had all
/// hyperedges too. `traffic` grows with what that would cost for each hyperedge that one part more touches, there and
/// back.
std::shared_ptr<const ops::Exchange> rehearse_exchange(const parts::Plan& plan,
                                                       std::shared_ptr<Traffic> traffic);

}  // namespace dshn::ranks
