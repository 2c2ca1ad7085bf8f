#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace dshn::data {

/// What is known of some items and predicted of the others.
enum class TargetKind : std::uint8_t {
  classes,  ///< each item is of one class
  numbers,  ///< each item has a number, or several: regression
  labels,   ///< each item has any of several labels, or none of them
};

/// "classes", "numbers" or "labels".
std::string_view target_kind_name(TargetKind kind);
/// Nothing for any other word.
std::optional<TargetKind> target_kind(std::string_view name);

/// Stands for a number, or a label, of which nobody knows.
inline constexpr double kUnknownValue = std::numeric_limits<double>::quiet_NaN();

/// What separates the labels of an item that has several.
inline constexpr char kLabelSeparator = ';';

}  // namespace dshn::data
