#pragma once

#include <ATen/core/Tensor.h>

/// Dense products on the CPU with the same bits for any number of threads. A BLAS sums in an order that depends on
/// how many threads it has, so products are cut into pieces that depend on their sizes alone, and each piece is
/// multiplied by one thread. Outside of autograd.
namespace dshn::ops::cpu {

/// A B, real or complex: a piece is some rows of A.
at::Tensor product(const at::Tensor& a, const at::Tensor& b);

/// A^H B for many rows (A^T B where it is real): a piece is some rows of both, and the pieces' products are summed
/// in their order.
at::Tensor adjoint_product(const at::Tensor& a, const at::Tensor& b);

}  // namespace dshn::ops::cpu
