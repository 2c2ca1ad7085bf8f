#include "dshn/nn/complex.hpp"

#include <torch/torch.h>

#include <cmath>

#include "dshn/nn/linear.hpp"
#include "dshn/ops/rectify.hpp"
#include "dshn/ops/stalk.hpp"
#include "dshn/ops/whiten.hpp"

namespace dshn::nn {
namespace {

constexpr double kEpsilon = 1e-5;

}  // namespace

at::Tensor complex_relu(const at::Tensor& x) {
  return ops::rectify(x, {}, 0, {});
}

at::Tensor unwind(const at::Tensor& x) {
  return x.flatten(1);  // also of no rows
}

at::Tensor stalk_linear(const at::Tensor& x, const at::Tensor& w1) {
  return ops::stalk_product(x, w1);
}

at::Tensor channel_linear(const at::Tensor& x, const at::Tensor& w2) {
  return linear_rows(x.reshape({-1, x.size(3)}), w2.t()).view({x.size(0), x.size(1), x.size(2), w2.size(1)});
}

at::Tensor unwound_linear(const at::Tensor& x, const at::Tensor& weight) {
  if (x.size(2) == 2) return linear_rows(unwind(x), weight);
  const at::Tensor real = weight.view({weight.size(0), x.size(1), 2, x.size(3)}).select(2, 0);
  return linear_rows(unwind(x), real.reshape({weight.size(0), -1}));
}

ComplexLayerNorm::ComplexLayerNorm()
    : gamma_(register_parameter("gamma", torch::eye(2) / std::sqrt(2.0))),
      beta_(register_parameter("beta", torch::zeros(2))) {}

at::Tensor ComplexLayerNorm::forward(const at::Tensor& x) {
  const std::int64_t planes = x.size(2);
  const at::Tensor white = ops::whiten(x, kEpsilon);
  const at::Tensor gamma = gamma_.narrow(0, 0, planes).narrow(1, 0, planes);
  // As rows [d, planes, f], whose gradient is summed row by row, and not over everything at once in an order
  // that depends on the number of threads.
  const at::Tensor beta = beta_.narrow(0, 0, planes).view({planes, 1}).expand({x.size(1), planes, x.size(3)});
  return ops::stalk_product(white.reshape({-1, planes, x.size(3)}), gamma).view(x.sizes()) + beta;
}

}  // namespace dshn::nn
