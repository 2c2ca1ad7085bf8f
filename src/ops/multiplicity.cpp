#include "dshn/ops/multiplicity.hpp"

#include <ATen/ATen.h>

#include "dshn/ops/segment.hpp"
#include "dshn/ops/sheaf.hpp"

namespace dshn::ops {

at::Tensor times(const at::Tensor& maps, const at::Tensor& factors) {
  return maps * (maps.dim() == 3 ? factors.view({-1, 1, 1}) : factors.unsqueeze(1));
}

at::Tensor repeated_maps(const at::Tensor& maps, const OptionalTensor& multiplicity) {
  return multiplicity.has_value() ? times(maps, *multiplicity) : maps;
}

OptionalTensor repeated_weight(const OptionalTensor& weight, const OptionalTensor& multiplicity,
                               const Incidence& incidence) {
  if (!multiplicity.has_value()) return weight;
  const at::Tensor sizes = incidence.edge_sizes().to(multiplicity->scalar_type());
  const at::Tensor sums = segment_sum(*multiplicity, Over::edges, incidence);
  const at::Tensor shares = at::where(sizes > 0, sizes / sums, at::ones_like(sizes));
  return weight.has_value() ? *weight * shares : shares;
}

at::Tensor repeated_degree(const at::Tensor& maps, const OptionalTensor& weight,
                           const OptionalTensor& multiplicity, const Incidence& incidence) {
  const at::Tensor rooted = multiplicity.has_value() ? times(maps, multiplicity->sqrt()) : maps;
  return degree_blocks(rooted, weight, incidence);
}

}  // namespace dshn::ops
