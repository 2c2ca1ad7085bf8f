#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dshn/base/random.hpp"

namespace dshn::sheaf {

/// A kind of restriction maps: how F_ue is made from free parameters (paper, section 'Directional Sheaf
/// Hypergraph Network'). Each has a file in src/sheaf/map_kinds, which says what it is.
struct MapKind {
  std::string name;
  /// Length of the parameters of one map with stalk dimension d. `rank` counts for some kinds only; UsageError
  /// where it does not fit d.
  std::function<std::int64_t(std::int64_t d, std::int64_t rank)> length;
  /// From parameters [nnz, length], differentiable, in the shapes that dshn::ops takes: [nnz, 1], [nnz, d] or
  /// [nnz, d, d].
  std::function<at::Tensor(const at::Tensor& parameters, std::int64_t d, std::int64_t rank)> maps;
  /// Whether F^T F = I for all parameters.
  bool orthogonal = false;
  /// Whether a map has one number per stalk component at most.
  bool scalar = false;
};

const std::vector<MapKind>& map_kinds();
/// UsageError, with the names that there are, for anything else.
const MapKind& map_kind(const std::string& name);
std::vector<std::string> map_kind_names();

/// MapKind::length, for a stalk dimension of 1 at least, else UsageError.
std::int64_t parameters_per_map(const MapKind& kind, std::int64_t d, std::int64_t rank = 1);

/// MapKind::maps, in the parameters' type and on their device. UsageError when the shape does not fit.
at::Tensor maps_from_parameters(const MapKind& kind, const at::Tensor& parameters, std::int64_t d,
                                std::int64_t rank = 1);

/// Maps from standard normal parameters, float64 on the CPU.
at::Tensor random_maps(const MapKind& kind, std::int64_t count, std::int64_t d, Random& random,
                       std::int64_t rank = 1);
/// Bytes that a DirectedSheaf of such maps takes while it is made.
std::int64_t random_maps_bytes(const MapKind& kind, std::int64_t count, std::int64_t d);

}  // namespace dshn::sheaf
