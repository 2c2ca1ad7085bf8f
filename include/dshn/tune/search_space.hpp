#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dshn/base/options.hpp"
#include "dshn/base/random.hpp"

namespace dshn::tune {

/// One option and the values that a search tries.
struct Parameter {
  std::string name;
  std::vector<std::string> values;
  /// As in OptionSpec.
  std::vector<std::string> idle_when{};

  /// Numbers that rise or fall along the list: neighbours in it are alike.
  bool ordered() const;
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

using SearchSpace = std::vector<Parameter>;

/// One configuration: for each parameter the position of its value.
using Configuration = std::vector<int>;

/// What a model declares, and of the training options the numbers that declare a list: splits, metric and
/// features belong to the protocol. Options in `fixed` are left out; `lists` replaces or adds values (numbers
/// are put in order). UsageError for a name or value that does not fit, for a repeated value, for an option
/// that is both fixed and listed, and for an empty space.
SearchSpace search_space(const std::string& model, const Assignments& fixed = {},
                         const std::map<std::string, std::vector<std::string>>& lists = {});

/// A space and a configuration in it.
struct Start {
  SearchSpace space;
  Assignments first;
};

/// The configuration with these values, defaults elsewhere, and the space with room for it: a value that is
/// not in its list yet joins it.
Start starting_at(SearchSpace space, const std::string& model, const Assignments& values);

/// Number of configurations, at most 2^63.
std::uint64_t size_of(const SearchSpace& space);

/// All configurations equally likely.
Configuration draw(const SearchSpace& space, Random& random);

/// Configuration number `index` of the space, which has more configurations than that.
Configuration configuration_at(const SearchSpace& space, std::uint64_t index);

Assignments assignments(const SearchSpace& space, const Configuration& configuration);
/// Whether the parameter has no effect at the configuration, because of another one's value there.
bool is_idle(const SearchSpace& space, const Configuration& configuration, std::size_t parameter);
/// The configuration with every idle parameter at the first of its values: configurations that train the same model are one.
Configuration without_idle(const SearchSpace& space, Configuration configuration);
/// The configuration with these values. InvalidInput where one is not of this space.
Configuration configuration_of(const SearchSpace& space, const Assignments& values);

}  // namespace dshn::tune
