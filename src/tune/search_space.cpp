#include "dshn/tune/search_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "dshn/base/error.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/settings.hpp"

namespace dshn::tune {
namespace {

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Empty when one of the values is a word.
std::vector<double> numbers_of(const std::vector<std::string>& values) {
  std::vector<double> numbers;
  for (const std::string& value : values) {
    const std::optional<double> number = number_of(value);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

/// The same word, or the same number written in another way.
bool same_value(const std::string& a, const std::string& b) {
  return a == b || (number_of(a) && number_of(a) == number_of(b));
}

/// Whether the parameter has no effect where the option `name` has this value.
bool makes_idle(const Parameter& parameter, const std::string& name, const std::string& value) {
  return std::any_of(parameter.idle_when.begin(), parameter.idle_when.end(), [&](const std::string& when) {
    const std::size_t equals = when.find('=');
    return when.compare(0, equals, name) == 0 && same_value(when.substr(equals + 1), value);
  });
}

/// The list that the caller gave: checked, and in order where it is one of numbers.
std::vector<std::string> checked_list(const std::string& model, const std::string& name,
                                      std::vector<std::string> values) {
  if (values.empty())
    throw UsageError(fmt::format("search space of {}: no values; expected {}=v1,v2,...", name, name));
  for (const std::string& value : values) {
    train::Settings settings;
    settings.model = model;
    settings.set[name] = value;
    settings.training();
    settings.model_options();
  }
  const bool numbers = !numbers_of(values).empty();
  std::sort(values.begin(), values.end(), [&](const std::string& a, const std::string& b) {
    return numbers ? *number_of(a) < *number_of(b) : a < b;
  });
  for (std::size_t i = 1; i < values.size(); ++i) {
    const bool same = numbers ? number_of(values[i - 1]) == number_of(values[i]) : values[i - 1] == values[i];
    if (same)
      throw UsageError(fmt::format("search space of {}: the value {} is there twice", name, values[i]));
  }
  return values;
}

/// What the model or the training declares under this name.
const OptionSpec& spec_of(const std::string& model, const std::string& name) {
  for (const auto* specs : {&models::find_model(model).options, &train::training_options()}) {
    const auto found =
        std::find_if(specs->begin(), specs->end(), [&](const auto& s) { return s.name == name; });
    if (found != specs->end()) return *found;
  }
  throw UsageError(fmt::format("model {} has no option {}", model, name));
}

/// Everything with a declared list, in the order of declaration.
SearchSpace declared_space(const std::string& model) {
  SearchSpace space;
  for (const OptionSpec& spec : models::find_model(model).options) {
    if (!spec.search.empty()) space.push_back({spec.name, spec.search, spec.idle_when});
  }
  for (const OptionSpec& spec : train::training_options()) {
    if (spec.kind == OptionSpec::Kind::real && !spec.search.empty())
      space.push_back({spec.name, spec.search, spec.idle_when});
  }
  return space;
}

}  // namespace

bool Parameter::ordered() const {
  const std::vector<double> numbers = numbers_of(values);
  if (numbers.empty()) return false;
  const auto not_rising = [](double a, double b) { return a >= b; };
  const auto not_falling = [](double a, double b) { return a <= b; };
  return std::adjacent_find(numbers.begin(), numbers.end(), not_rising) == numbers.end() ||
         std::adjacent_find(numbers.begin(), numbers.end(), not_falling) == numbers.end();
}

SearchSpace search_space(const std::string& model, const Assignments& fixed,
                         const std::map<std::string, std::vector<std::string>>& lists) {
  SearchSpace space = declared_space(model);
  std::erase_if(space, [&](const Parameter& parameter) {
    const bool idle = std::any_of(fixed.begin(), fixed.end(), [&](const auto& option) {
      return makes_idle(parameter, option.first, option.second);
    });
    return idle || fixed.contains(parameter.name);
  });
  for (const auto& [name, values] : lists) {
    if (fixed.contains(name))
      throw UsageError(fmt::format("{}: is both fixed and searched", name), Topic{"fixed-and-searched"});
    std::vector<std::string> list = checked_list(model, name, values);
    const auto place = std::find_if(space.begin(), space.end(),
                                    [&, wanted = name](const Parameter& p) { return p.name == wanted; });
    if (place != space.end())
      place->values = std::move(list);
    else
      space.push_back({name, std::move(list), spec_of(model, name).idle_when});
  }
  if (space.empty())
    throw UsageError(fmt::format("model {}: there is nothing to search", model), Topic{"empty-space"});
  return space;
}

Start starting_at(SearchSpace space, const std::string& model, const Assignments& values) {
  train::Settings settings;
  settings.model = model;
  settings.set = values;
  Assignments all = settings.training().values();
  all.merge(Assignments(settings.model_options().values()));
  Start start;
  for (Parameter& parameter : space) {
    const std::string& value = all.at(parameter.name);
    const auto place = std::find_if(parameter.values.begin(), parameter.values.end(),
                                    [&](const std::string& other) { return same_value(other, value); });
    start.first[parameter.name] = place == parameter.values.end() ? value : *place;
    if (place == parameter.values.end()) {
      parameter.values.push_back(value);
      parameter.values = checked_list(model, parameter.name, parameter.values);
    }
  }
  start.space = std::move(space);
  return start;
}

std::uint64_t size_of(const SearchSpace& space) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 63U;
  std::uint64_t size = 1;
  for (const Parameter& parameter : space) {
    if (size > kMost / parameter.values.size()) return kMost;
    size *= parameter.values.size();
  }
  return size;
}

Configuration draw(const SearchSpace& space, Random& random) {
  Configuration configuration;
  for (const Parameter& parameter : space)
    configuration.push_back(static_cast<int>(random.below(parameter.values.size())));
  return configuration;
}

Configuration configuration_at(const SearchSpace& space, std::uint64_t index) {
  Configuration configuration(space.size());
  for (std::size_t i = space.size(); i-- > 0;) {
    const std::uint64_t count = space[i].values.size();
    configuration[i] = static_cast<int>(index % count);
    index /= count;
  }
  return configuration;
}

Assignments assignments(const SearchSpace& space, const Configuration& configuration) {
  Assignments result;
  for (std::size_t i = 0; i < space.size(); ++i) result[space[i].name] = space[i].values[configuration[i]];
  return result;
}

bool is_idle(const SearchSpace& space, const Configuration& configuration, std::size_t parameter) {
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (makes_idle(space[parameter], space[i].name, space[i].values[configuration[i]])) return true;
  }
  return false;
}

Configuration without_idle(const SearchSpace& space, Configuration configuration) {
  const Configuration given = configuration;
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (is_idle(space, given, i)) configuration[i] = 0;
  }
  return configuration;
}

Configuration configuration_of(const SearchSpace& space, const Assignments& values) {
  Configuration configuration;
  for (const Parameter& parameter : space) {
    const auto value = values.find(parameter.name);
    const auto place = value == values.end()
                           ? parameter.values.end()
                           : std::find(parameter.values.begin(), parameter.values.end(), value->second);
    if (place == parameter.values.end())
      throw InvalidInput(fmt::format("a trial has no value of {} that the study knows", parameter.name));
    configuration.push_back(static_cast<int>(place - parameter.values.begin()));
  }
  return configuration;
}

}  // namespace dshn::tune
