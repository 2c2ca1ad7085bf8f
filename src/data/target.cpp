#include "dshn/data/target.hpp"

#include <algorithm>
#include <array>

namespace dshn::data {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"classes", "numbers", "labels"};

}  // namespace

std::string_view target_kind_name(TargetKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

std::optional<TargetKind> target_kind(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<TargetKind>(found - kNames.begin());
}

}  // namespace dshn::data
