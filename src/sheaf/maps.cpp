#include "dshn/sheaf/maps.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "sheaf/blocks.hpp"

namespace dshn::sheaf {

// Each kind's file in map_kinds/ defines the function of its name.
#define DSHN_PLUG(name) MapKind name##_maps();
#include "sheaf/plugs.inc"
#undef DSHN_PLUG

const std::vector<MapKind>& map_kinds() {
#define DSHN_PLUG(name) name##_maps(),
  static const std::vector<MapKind> kinds{
#include "sheaf/plugs.inc"
  };
#undef DSHN_PLUG
  return kinds;
}

std::vector<std::string> map_kind_names() {
  std::vector<std::string> names;
  for (const MapKind& kind : map_kinds()) names.push_back(kind.name);
  return names;
}

const MapKind& map_kind(const std::string& name) {
  for (const MapKind& kind : map_kinds()) {
    if (kind.name == name) return kind;
  }
  throw UsageError(
      fmt::format("map kind '{}' is unknown; it is one of {}", name, fmt::join(map_kind_names(), ", ")));
}

std::int64_t parameters_per_map(const MapKind& kind, std::int64_t d, std::int64_t rank) {
  if (d < 1) throw UsageError(fmt::format("stalk dimension: expected at least 1, got {}", d));
  return kind.length(d, rank);
}

at::Tensor maps_from_parameters(const MapKind& kind, const at::Tensor& parameters, std::int64_t d,
                                std::int64_t rank) {
  const std::int64_t length = parameters_per_map(kind, d, rank);
  if (!parameters.defined() || !parameters.is_floating_point() || parameters.dim() != 2 ||
      parameters.size(1) != length) {
    throw UsageError(fmt::format("parameters: expected real [nnz, {}] for {} maps with d = {}, got {}",
                                 length, kind.name, d, blocks::describe(parameters)));
  }
  return kind.maps(parameters, d, rank);
}

at::Tensor random_maps(const MapKind& kind, std::int64_t count, std::int64_t d, Random& random,
                       std::int64_t rank) {
  at::Tensor parameters = at::empty({count, parameters_per_map(kind, d, rank)}, at::kDouble);
  auto* values = parameters.data_ptr<double>();
  for (std::int64_t i = 0; i < parameters.numel(); ++i) values[i] = random.normal();
  return maps_from_parameters(kind, parameters, d, rank);
}

std::int64_t random_maps_bytes(const MapKind& kind, std::int64_t count, std::int64_t d) {
  // Maps, normalised maps, parameters and one intermediate.
  const double bytes = 4.0 * sizeof(double) * static_cast<double>(count) * static_cast<double>(d) *
                       static_cast<double>(kind.scalar ? 1 : d);
  return static_cast<std::int64_t>(std::min(bytes, 9e18));
}

}  // namespace dshn::sheaf
