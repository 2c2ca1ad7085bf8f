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
  std::string idle_when{};

  /// Numbers that rise or fall along the list: neighbours in it are alike.
  bool ordered() const;
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

using Space = std::vector<Parameter>;

/// One configuration: for each parameter the position of its value.
using Point = std::vector<int>;

/// What a model declares, and of the training options the numbers that declare a list: splits, metric and
/// features belong to the protocol. Options in `fixed` are left out; `lists` replaces or adds values (numbers
/// are put in order). UsageError for a name or value that does not fit, for a repeated value, for an option
/// that is both fixed and listed, and for an empty space.
Space search_space(const std::string& model, const Assignments& fixed = {},
                   const std::map<std::string, std::vector<std::string>>& lists = {});

/// A space and a configuration in it.
struct Start {
  Space space;
  Assignments first;
};

/// The configuration with these values, defaults elsewhere, and the space with room for it: a value that is
/// not in its list yet joins it.
Start starting_at(Space space, const std::string& model, const Assignments& values);

/// Number of points, at most 2^63.
std::uint64_t size_of(const Space& space);

/// All points equally likely.
Point draw(const Space& space, Random& random);

/// Point number `index` of the space, which has more points than that.
Point point_at(const Space& space, std::uint64_t index);

Assignments assignments(const Space& space, const Point& point);
/// Whether the parameter has no effect at the point, because of another one's value there.
bool is_idle(const Space& space, const Point& point, std::size_t parameter);
/// The point with every idle parameter at the first of its values: points that train the same model are one.
Point without_idle(const Space& space, Point point);
/// The point with these values. InvalidInput where one is not of this space.
Point point_of(const Space& space, const Assignments& values);

}  // namespace dshn::tune
