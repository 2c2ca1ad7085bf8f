#include "dshn/tune/importance.hpp"

#include <algorithm>
#include <map>

namespace dshn::tune {
namespace {

struct Group {
  double sum = 0;
  double count = 0;
};

/// (SS_between - (k-1) MS_within) / SS_total for k groups, not below 0.
std::optional<double> explained(const std::map<std::string, Group>& groups,
                                const std::vector<double>& values) {
  const double n = static_cast<double>(values.size());
  const double k = static_cast<double>(groups.size());
  if (n <= k) return std::nullopt;
  double mean = 0;
  for (const double value : values) mean += value / n;
  double total = 0;
  for (const double value : values) total += (value - mean) * (value - mean);
  if (total == 0) return std::nullopt;
  double between = 0;
  for (const auto& [value, group] : groups) {
    const double off = group.sum / group.count - mean;
    between += group.count * off * off;
  }
  const double within = std::max(total - between, 0.0) / (n - k);
  return std::clamp((between - (k - 1) * within) / total, 0.0, 1.0);
}

}  // namespace

std::vector<Importance> importances(const SearchSpace& space, const std::vector<Trial>& trials) {
  const bool few = std::ranges::count(trials, TrialState::completed, &Trial::state) < kFewestForImportance;
  std::vector<Importance> result;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const Parameter& parameter = space[i];
    std::map<std::string, Group> groups;
    std::vector<double> values;
    for (const Trial& trial : trials) {
      if (trial.state != TrialState::completed || is_idle(space, configuration_of(space, trial.set), i))
        continue;
      values.push_back(trial.figure().mean);
      Group& group = groups[trial.set.at(parameter.name)];
      group.sum += values.back();
      group.count += 1;
    }
    result.push_back({parameter.name, few ? std::nullopt : explained(groups, values)});
  }
  std::stable_sort(result.begin(), result.end(), [](const Importance& a, const Importance& b) {
    return a.share.value_or(-1) > b.share.value_or(-1);
  });
  return result;
}

}  // namespace dshn::tune
