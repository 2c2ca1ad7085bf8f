#pragma once

#include <ATen/core/Tensor.h>

#include <utility>

namespace dshn::ops {

/// (I (x) W) x: a d x d matrix acts on the d blocks of every row of x [rows, d, ...]. Differentiable once in
/// both; the same bits for any number of threads. Registered as torch.ops.dshn.stalk_product.
at::Tensor stalk_product(const at::Tensor& x, const at::Tensor& weight);

/// The same, and the mean of the d blocks of every row, [rows, 1, ...]: both from one reading of x, and its
/// gradient in one writing. Registered as torch.ops.dshn.stalk_product_and_mean.
std::pair<at::Tensor, at::Tensor> stalk_product_and_mean(const at::Tensor& x, const at::Tensor& weight);

}  // namespace dshn::ops
