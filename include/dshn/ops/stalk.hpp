#pragma once

#include <ATen/core/Tensor.h>

namespace dshn::ops {

/// (I (x) W) x: a d x d matrix acts on the d blocks of every row of x [rows, d, ...]. Differentiable once in
/// both; the same bits for any number of threads. Registered as torch.ops.dshn.stalk_product.
at::Tensor stalk_product(const at::Tensor& x, const at::Tensor& weight);

}  // namespace dshn::ops
