#pragma once

#include <set>

#include "dshn/tune/sampler.hpp"

namespace dshn::tune {

/// Without what is idle in them.
std::set<Configuration> configurations_of(const SearchSpace& space, const std::vector<Trial>& trials);

/// A configuration that trains another model than those tried, all equally likely; where that is hard to
/// find, any.
Configuration draw_new(const SearchSpace& space, const std::set<Configuration>& tried, Random& random);

}  // namespace dshn::tune
