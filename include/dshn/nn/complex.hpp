#pragma once

#include <torch/nn/module.h>

/// Building blocks on planar signals [rows, d, planes, f]: planes is 2 for complex signals (re, im), 1 for
/// real ones.
namespace dshn::nn {

/// Keeps an entry where its real part is above 0, else drops both parts (paper, 'Activation Function').
at::Tensor complex_relu(const at::Tensor& x);

/// Re and Im side by side, [rows, d * planes * f]: the planar layout needs no copy. Columns are ordered
/// stalk by stalk, re before im.
at::Tensor unwind(const at::Tensor& x);

/// (I (x) W1) x: a real d x d matrix acts along the stalk of every node (paper, eq. diffusion).
at::Tensor stalk_linear(const at::Tensor& x, const at::Tensor& w1);

/// x W2: a real f x g matrix acts on the channels of both planes.
at::Tensor channel_linear(const at::Tensor& x, const at::Tensor& w2);

/// weight . unwind(x) for a weight [out, d * 2 * f] made for complex signals; a real signal meets only the
/// columns of the real planes, as if its imaginary part were there and zero.
at::Tensor unwound_linear(const at::Tensor& x, const at::Tensor& weight);

/// Layer normalisation of complex features as two-dimensional real vectors: the f channels of one stalk
/// component are centred and whitened by the inverse root of their full 2 x 2 covariance, then mapped by
/// gamma [2, 2] and beta [2] (paper, 'Layer Normalization'). A real signal uses gamma[0][0] and beta[0].
class ComplexLayerNorm : public torch::nn::Module {
 public:
  ComplexLayerNorm();
  at::Tensor forward(const at::Tensor& x);

 private:
  at::Tensor gamma_;
  at::Tensor beta_;
};

}  // namespace dshn::nn
