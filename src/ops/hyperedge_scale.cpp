#include "ops/hyperedge_scale.hpp"

#include <ATen/ATen.h>

namespace dshn::ops {

at::Tensor hyperedge_scale(const OptionalTensor& weight, const Incidence& incidence, at::ScalarType type) {
  const at::Tensor size = incidence.edge_sizes().to(type).clamp_min(1);
  return weight.has_value() ? weight->detach() / size : size.reciprocal();
}

at::Tensor weight_gradient(const at::Tensor& row_dots, const at::Tensor& weight, const Incidence& incidence) {
  const at::Tensor w = weight.to(at::kDouble);
  return (row_dots * incidence.edge_sizes().to(at::kDouble) / (w * w)).to(weight.scalar_type());
}

}  // namespace dshn::ops
