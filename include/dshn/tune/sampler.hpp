#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dshn/tune/space.hpp"
#include "dshn/tune/trial.hpp"

namespace dshn::tune {

/// Says which configuration to try next. The same seed, trial number and history give the same proposal. A
/// point that the history holds is not proposed again while there is another.
class Sampler {
 public:
  virtual ~Sampler() = default;
  /// history: all trials with a smaller number, whatever their state.
  virtual Point propose(const Space& space, const std::vector<Trial>& history, int number) const = 0;
};

/// tpe, random or grid; UsageError for another name.
std::unique_ptr<Sampler> make_sampler(const std::string& name, std::uint64_t seed);

}  // namespace dshn::tune
