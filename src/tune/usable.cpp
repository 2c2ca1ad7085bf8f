#include "dshn/tune/usable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "dshn/base/error.hpp"
#include "dshn/models/registry.hpp"

namespace dshn::tune {
namespace {

/// Why the model does not take the value, if so.
std::optional<std::string> refusal(const train::Experiment& experiment, const std::string& name,
                                   const std::string& value) {
  train::Settings settings = experiment.settings;
  settings.set[name] = value;
  try {
    models::find_model(settings.model)
        .create(settings.model_options(), experiment.sizes)
        ->prepare(experiment.input.to(at::kCPU, experiment.input.x.scalar_type()));
    return std::nullopt;
  } catch (const UsageError& problem) {
    return problem.what();
  }
}

}  // namespace

SearchSpace usable_part(const SearchSpace& space, const std::vector<std::string>& chosen,
                        const train::Experiment& experiment, std::vector<std::string>& left_out) {
  const auto& specs = models::find_model(experiment.settings.model).options;
  SearchSpace result;
  for (const Parameter& parameter : space) {
    const bool of_model =
        std::any_of(specs.begin(), specs.end(), [&](const auto& s) { return s.name == parameter.name; });
    Parameter usable{parameter.name, {}, parameter.idle_when};
    std::vector<std::string> reasons;
    for (const std::string& value : parameter.values) {
      const std::optional<std::string> reason =
          of_model ? refusal(experiment, parameter.name, value) : std::nullopt;
      if (reason)
        reasons.push_back(fmt::format("{}={} is not tried: {}", parameter.name, value, *reason));
      else
        usable.values.push_back(value);
    }
    const bool keep = std::find(chosen.begin(), chosen.end(), parameter.name) != chosen.end();
    if (keep || usable.values.empty()) {
      result.push_back(parameter);
      continue;
    }
    result.push_back(usable);
    left_out.insert(left_out.end(), reasons.begin(), reasons.end());
  }
  return result;
}

}  // namespace dshn::tune
