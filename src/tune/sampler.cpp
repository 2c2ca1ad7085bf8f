#include "dshn/tune/sampler.hpp"

#include <fmt/format.h>

#include "dshn/base/error.hpp"
#include "tune/samplers.hpp"

namespace dshn::tune {

std::unique_ptr<Sampler> make_sampler(const std::string& name, std::uint64_t seed) {
  if (name == "tpe") return tpe_sampler(seed);
  if (name == "random") return random_sampler(seed);
  if (name == "grid") return grid_sampler(seed);
  throw UsageError(fmt::format("--sampler {}: expected tpe, random or grid", name));
}

}  // namespace dshn::tune
