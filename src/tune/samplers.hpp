#pragma once

#include <memory>
#include <set>

#include "dshn/tune/sampler.hpp"

namespace dshn::tune {

std::unique_ptr<Sampler> tpe_sampler(std::uint64_t seed);
std::unique_ptr<Sampler> random_sampler(std::uint64_t seed);
std::unique_ptr<Sampler> grid_sampler(std::uint64_t seed);

/// Without what is idle in them.
std::set<Point> points_of(const Space& space, const std::vector<Trial>& trials);

/// A point that trains another model than those tried, all equally likely; where that is hard to find, any.
Point draw_new(const Space& space, const std::set<Point>& tried, Random& random);

}  // namespace dshn::tune
