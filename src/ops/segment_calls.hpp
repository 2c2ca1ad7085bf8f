#pragma once

#include <tuple>

#include "ops/segment_arguments.hpp"

/// The segment kernels below autograd, for the formulas of the gradients.
namespace dshn::ops {

/// (result, winners of a maximum).
std::tuple<at::Tensor, at::Tensor> call_gather(const at::Tensor& x, const OptionalTensor& coefficients,
                                               Over over, Reduce reduce, at::TensorList incidence);
std::tuple<at::Tensor, at::Tensor> call_segment(const at::Tensor& values, Over over, Reduce reduce,
                                                at::TensorList incidence);
/// nodes_u + edges_e per incidence, either absent.
at::Tensor call_expand(const OptionalTensor& nodes, const OptionalTensor& edges, at::TensorList incidence);

}  // namespace dshn::ops
