#pragma once

#include "dshn/ops/incidence.hpp"
#include "dshn/ops/optional.hpp"

namespace dshn::ops {

/// w_e / |e|, 0 for an empty hyperedge, in the given type: D_E^(-1) of the paper with weights.
at::Tensor hyperedge_scale(const OptionalTensor& weight, const Incidence& incidence, at::ScalarType type);

/// Gradient of the weights from Re(conj(k_e) . h_e), where both carry the factor w_e / |e|.
at::Tensor weight_gradient(const at::Tensor& row_dots, const at::Tensor& weight, const Incidence& incidence);

}  // namespace dshn::ops
