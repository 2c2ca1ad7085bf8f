#include "tune/database.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace dshn::tune {

std::int64_t Row::integer(std::size_t column) const {
  if (const auto* value = std::get_if<std::int64_t>(&values_.at(column))) return *value;
  const auto* value = std::get_if<double>(&values_.at(column));
  if (value == nullptr || std::isnan(*value)) return 0;
  constexpr double kLimit = 9.2e18;
  if (std::abs(*value) > kLimit)
    return *value > 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(*value);
}

double Row::real(std::size_t column) const {
  if (const auto* value = std::get_if<double>(&values_.at(column))) return *value;
  const auto* value = std::get_if<std::int64_t>(&values_.at(column));
  return value == nullptr ? 0 : static_cast<double>(*value);
}

std::string Row::text(std::size_t column) const {
  if (const auto* value = std::get_if<std::string>(&values_.at(column))) return *value;
  if (const auto* value = std::get_if<double>(&values_.at(column))) return fmt::format("{}", *value);
  return fmt::format("{}", std::get<std::int64_t>(values_.at(column)));
}

}  // namespace dshn::tune
