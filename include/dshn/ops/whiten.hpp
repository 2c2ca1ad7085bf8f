#pragma once

#include <ATen/core/Tensor.h>

namespace dshn::ops {

/// (C + epsilon I)^(-1/2) (x - mean) of planar signals [rows, d, planes, f]: the f channels of one stalk
/// component are centred and whitened by their covariance C, 2 x 2 for complex signals, 1 x 1 for real ones
/// (paper, 'Layer Normalization').
///
/// Differentiable once; the same bits for any number of threads. Registered as
/// dshn::whiten(Tensor x, float epsilon).
at::Tensor whiten(const at::Tensor& x, double epsilon);

}  // namespace dshn::ops
