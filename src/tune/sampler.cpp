#include "dshn/tune/sampler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dshn/base/error.hpp"
#include "tune/draw_new.hpp"

namespace dshn::tune {

// Each sampler's file defines the function of its name.
#define DSHN_PLUG(name) std::unique_ptr<Sampler> name##_sampler(std::uint64_t seed);
#include "tune/plugs.inc"
#undef DSHN_PLUG

const std::vector<std::string>& sampler_names() {
#define DSHN_PLUG(name) #name,
  static const std::vector<std::string> names{
#include "tune/plugs.inc"
  };
#undef DSHN_PLUG
  return names;
}

std::unique_ptr<Sampler> make_sampler(const std::string& wanted, std::uint64_t seed) {
#define DSHN_PLUG(name) \
  if (wanted == #name) return name##_sampler(seed);
#include "tune/plugs.inc"
#undef DSHN_PLUG
  throw UsageError(fmt::format("sampler {}: expected one of {}", wanted, fmt::join(sampler_names(), ", ")));
}

std::set<Configuration> configurations_of(const SearchSpace& space, const std::vector<Trial>& trials) {
  std::set<Configuration> configurations;
  for (const Trial& trial : trials)
    configurations.insert(without_idle(space, configuration_of(space, trial.set)));
  return configurations;
}

Configuration draw_new(const SearchSpace& space, const std::set<Configuration>& tried, Random& random) {
  constexpr int kDraws = 10000;
  Configuration configuration = without_idle(space, draw(space, random));
  for (int i = 1; i < kDraws && tried.contains(configuration); ++i)
    configuration = without_idle(space, draw(space, random));
  return configuration;
}

}  // namespace dshn::tune
