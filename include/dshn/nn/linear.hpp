#pragma once

#include <ATen/core/Tensor.h>

namespace dshn::nn {

/// x weight^T [+ bias]: rows [r, in], weight [out, in], bias [out] or undefined. Differentiable once.
///
/// Inner products, of the value and of both gradients, are summed in blocks of fixed length: a BLAS cuts long
/// ones by the number of threads, and the same seed must give the same bits for any number of them.
at::Tensor linear_rows(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias = {});

}  // namespace dshn::nn
