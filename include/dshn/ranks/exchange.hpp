#pragma once

#include <memory>

#include "dshn/ops/exchange.hpp"
#include "dshn/parts/part.hpp"
#include "dshn/ranks/group.hpp"

namespace dshn::ranks {

/// What the operators of part number group->rank() ask of the others. The partial sums of a hyperedge go to its owner,
/// which adds them to its own in the order of the ranks, and the total comes back. UsageError where the plan is not of
/// this rank and this number of ranks.
std::shared_ptr<const ops::Exchange> make_exchange(const parts::Plan& plan,
                                                   std::shared_ptr<const Group> group);

}  // namespace dshn::ranks
