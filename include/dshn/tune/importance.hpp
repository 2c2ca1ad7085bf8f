#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dshn/tune/search_space.hpp"
#include "dshn/tune/trial.hpp"

namespace dshn::tune {

/// Completed trials below which nothing is said: shares of fewer are mostly chance.
inline constexpr int kFewestForImportance = 20;

struct Importance {
  std::string name;
  /// Share of the variance of the validation figure that lies between the parameter's values, less what as
  /// many groups would show by chance (epsilon squared), from 0 to 1. Empty where the completed trials are
  /// too few to tell, at least below kFewestForImportance.
  std::optional<double> share;
};

/// From the completed trials; the most important first, those that cannot be told last.
std::vector<Importance> importances(const SearchSpace& space, const std::vector<Trial>& trials);

}  // namespace dshn::tune
