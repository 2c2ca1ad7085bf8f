#include "models/hyperedge_charge.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <cmath>

#include "dshn/base/error.hpp"
#include "dshn/nn/complex.hpp"
#include "dshn/nn/elementwise.hpp"
#include "dshn/nn/linear.hpp"
#include "models/message_passing.hpp"

namespace dshn::models {

HyperedgeCharge::HyperedgeCharge(std::int64_t width, double start) {
  if (!(std::abs(start) < 0.5))
    throw UsageError(fmt::format(
        "model option q_init={}: expected a number between -0.5 and 0.5, both excluded, where each "
        "hyperedge has its own charge",
        start));
  // Ten times smaller than libtorch's own start: hyperedges differ, and all are near `start`.
  const double bound = 0.1 / std::sqrt(2.0 * static_cast<double>(width));
  weight_ = register_parameter("weight", torch::empty({1, 2 * width}).uniform_(-bound, bound));
  bias_ = register_parameter("bias", torch::full({1}, std::atanh(2 * start)));
}

at::Tensor HyperedgeCharge::forward(const at::Tensor& mean, const Input& input) const {
  const at::Tensor of_nodes = nn::unwound_linear(mean, weight_);
  const at::Tensor of_edges = mean_over(ops::Over::edges, of_nodes, input);
  // As a product, whose gradient has one order of summation for any number of threads.
  const at::Tensor bias = nn::linear_rows(at::ones_like(of_edges), bias_.view({1, 1}));
  return nn::tanh(of_edges + bias).squeeze(1) / 2;
}

}  // namespace dshn::models
