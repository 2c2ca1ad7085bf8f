#pragma once

#include <ATen/core/Tensor.h>

#include <string>

/// Block-diagonal matrices with one symmetric block per node: float64 [n, 1] (multiples of the identity), [n,
/// d] (diagonals) or [n, d, d].
namespace dshn::sheaf::blocks {

/// Each block times the stalk of its node, for a signal [n, d, planes, f].
at::Tensor multiply(const at::Tensor& blocks, const at::Tensor& x);

/// Re(x^dagger y) for each channel of two signals, [f]. Added in order: libtorch's sum depends on the number
/// of threads.
at::Tensor column_products(const at::Tensor& x, const at::Tensor& y);

/// Projections on the ranges of pseudo-inverse roots as ops::inverse_sqrt gives them.
at::Tensor range_projection(const at::Tensor& inverse_sqrt);

/// Whether projections (as range_projection gives them) leave everything as it is.
bool is_identity(const at::Tensor& projections);

/// Of all blocks together; 0 when there is none.
double largest_eigenvalue(const at::Tensor& blocks);

/// "Double [3, 4] on cpu", for messages.
std::string describe(const at::Tensor& tensor);

}  // namespace dshn::sheaf::blocks
