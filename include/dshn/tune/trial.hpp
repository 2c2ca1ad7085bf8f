#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dshn/base/options.hpp"
#include "dshn/train/metrics.hpp"

namespace dshn::tune {

/// waiting: begun and given up by its worker, to be taken up by another. The last three are final.
enum class TrialState : std::uint8_t { waiting, running, completed, pruned, failed };

std::string to_string(TrialState state);

/// One configuration and what is known of it.
struct Trial {
  int number = 0;
  TrialState state = TrialState::running;
  Assignments set;
  /// Validation metric of split 0, 1, ..., as far as they are trained.
  std::vector<double> validation;
  std::string message;  // why it failed
  /// How often a worker has taken it up.
  int attempt = 1;

  bool finished() const { return state != TrialState::waiting && state != TrialState::running; }
  train::MeanStd figure() const { return train::mean_std(validation); }
};

/// Numbers of the trials from the best to the worst: completed ones by their mean, then pruned ones by how
/// far they came and their mean, then failed ones. Unfinished ones are left out. Ties: the earlier trial
/// first.
std::vector<int> ranking(const std::vector<Trial>& trials);

/// UsageError for a metric that is better where it is lower: a search looks for the largest figure.
void check_searchable(const std::string& metric);

}  // namespace dshn::tune
