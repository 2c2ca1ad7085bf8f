#include "ops/hyperedge_scale.hpp"

#include <ATen/ATen.h>

namespace dshn::ops {
namespace {

at::Tensor sizes(const Incidence& incidence, at::ScalarType type) {
  return (incidence.by_edge.ptr.slice(0, 1) - incidence.by_edge.ptr.slice(0, 0, -1)).to(type);
}

}  // namespace

at::Tensor hyperedge_scale(const OptionalTensor& weight, const Incidence& incidence, at::ScalarType type) {
  const at::Tensor size = sizes(incidence, type).clamp_min(1);
  return weight.has_value() ? weight->detach() / size : size.reciprocal();
}

at::Tensor weight_gradient(const at::Tensor& row_dots, const at::Tensor& weight, const Incidence& incidence) {
  const at::Tensor w = weight.to(at::kDouble);
  return (row_dots * sizes(incidence, at::kDouble) / (w * w)).to(weight.scalar_type());
}

}  // namespace dshn::ops
