#pragma once

#include <torch/nn/modules/normalization.h>

namespace dshn::nn {

/// Layer normalisation of rows [r, f]. libtorch's own sums the gradients of weight and bias in one part per
/// thread on the CPU; this one in a fixed order.
at::Tensor layer_norm(const at::Tensor& x, const torch::nn::LayerNormImpl& norm);

}  // namespace dshn::nn
