#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dshn/tune/search_space.hpp"
#include "dshn/tune/trial.hpp"

namespace dshn::tune {

/// Says which configuration to try next. The same seed, trial number and history give the same proposal. A
/// configuration that the history holds is not proposed again while there is another.
class Sampler {
 public:
  virtual ~Sampler() = default;
  /// history: all trials with a smaller number, whatever their state.
  virtual Configuration propose(const SearchSpace& space, const std::vector<Trial>& history,
                                int number) const = 0;
  /// Whether it goes through the whole space, in an order of its own.
  virtual bool exhaustive() const { return false; }
};

/// What make_sampler() takes.
const std::vector<std::string>& sampler_names();

/// UsageError for a name that is none.
std::unique_ptr<Sampler> make_sampler(const std::string& name, std::uint64_t seed);

}  // namespace dshn::tune
