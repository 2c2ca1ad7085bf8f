#pragma once

#include <string>
#include <vector>

#include "dshn/train/experiment.hpp"
#include "dshn/tune/search_space.hpp"

namespace dshn::tune {

/// The space without the values that the model refuses on this data set while all else is as the experiment
/// has it (hyperedge features where there are none, say); each is named in `left_out`, with the reason.
/// Parameters in `chosen` are the caller's own and stay as they are.
SearchSpace usable_part(const SearchSpace& space, const std::vector<std::string>& chosen,
                        const train::Experiment& experiment, std::vector<std::string>& left_out);

}  // namespace dshn::tune
