#include "dshn/nn/mlp.hpp"

#include <torch/torch.h>

#include "dshn/nn/linear.hpp"
#include "dshn/nn/norm.hpp"

namespace dshn::nn {

Mlp::Mlp(const MlpOptions& options) : dropout_(options.dropout) {
  const auto norm_of = [](std::int64_t width) {
    return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width}));
  };
  // A single number less its own mean is nothing at all: such an input stays as it is.
  if (options.input_norm && options.inputs > 1)
    input_norm_ = register_module("input_norm", norm_of(options.inputs));
  std::int64_t width = options.inputs;
  for (std::int64_t i = 0; i < options.layers; ++i) {
    const bool last = i + 1 == options.layers;
    const std::int64_t next = last ? options.outputs : options.hidden;
    linear_.push_back(register_module("linear" + std::to_string(i), torch::nn::Linear(width, next)));
    if (!last && options.norm) norm_.push_back(register_module("norm" + std::to_string(i), norm_of(next)));
    width = next;
  }
}

at::Tensor Mlp::forward(const at::Tensor& rows, Rows of, const Step& step) {
  at::Tensor x = input_norm_ ? layer_norm(rows, *input_norm_) : rows;
  for (std::size_t i = 0; i < linear_.size(); ++i) {
    x = linear_rows(x, linear_[i]->weight, linear_[i]->bias);
    if (i + 1 == linear_.size()) break;
    x = at::relu(x);
    if (!norm_.empty()) x = layer_norm(x, *norm_[i]);
    x = step.drop(x, dropout_, of);
  }
  return x;
}

}  // namespace dshn::nn
