#include "dshn/tune/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "dshn/base/error.hpp"
#include "dshn/train/figures.hpp"

namespace dshn::tune {
namespace {

/// Smaller is better.
auto rank_key(const Trial& trial) {
  return std::tuple(trial.state, -static_cast<int>(trial.validation.size()), -trial.figure().mean,
                    trial.number);
}

}  // namespace

std::string to_string(TrialState state) {
  switch (state) {
    case TrialState::waiting:
      return "waiting";
    case TrialState::running:
      return "running";
    case TrialState::completed:
      return "completed";
    case TrialState::pruned:
      return "pruned";
    case TrialState::failed:
      break;
  }
  return "failed";
}

std::vector<int> ranking(const std::vector<Trial>& trials) {
  std::vector<const Trial*> finished;
  for (const Trial& trial : trials) {
    if (trial.finished()) finished.push_back(&trial);
  }
  std::sort(finished.begin(), finished.end(),
            [](const Trial* a, const Trial* b) { return rank_key(*a) < rank_key(*b); });
  std::vector<int> numbers;
  for (const Trial* trial : finished) numbers.push_back(trial->number);
  return numbers;
}

void check_searchable(const std::string& metric) {
  if (train::find_metric(metric).lower_is_better)
    throw UsageError(
        fmt::format("metric {}: a search looks for the largest figure; r2 puts trials in the order of their "
                    "squared errors",
                    metric));
}

}  // namespace dshn::tune
