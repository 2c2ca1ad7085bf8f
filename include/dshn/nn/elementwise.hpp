#pragma once

#include <ATen/core/Tensor.h>

/// Functions of each number, each differentiable once. libtorch cuts a tensor by the number of threads and works on the
/// last few numbers of a piece in another way than on the others, which may give them other last bits; here the pieces
/// on a CPU are of fixed length, so that the same seed gives the same bits for any number of threads.
namespace dshn::nn {

at::Tensor elu(const at::Tensor& x);
at::Tensor sigmoid(const at::Tensor& x);
at::Tensor tanh(const at::Tensor& x);
at::Tensor exp(const at::Tensor& x);
at::Tensor log(const at::Tensor& x);
at::Tensor cos(const at::Tensor& x);
at::Tensor sin(const at::Tensor& x);
at::Tensor pow(const at::Tensor& x, double exponent);

}  // namespace dshn::nn
