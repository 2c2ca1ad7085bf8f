#pragma once

#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>

#include <vector>

#include "dshn/nn/step.hpp"

namespace dshn::nn {

struct MlpOptions {
  std::int64_t inputs = 0;
  std::int64_t hidden = 0;
  std::int64_t outputs = 0;
  std::int64_t layers = 2;  // at least 1; 1 is a single linear layer
  double dropout = 0;
  bool norm = true;         // LayerNorm after each hidden activation
  bool input_norm = false;  // LayerNorm of the input, where it has more than one column
};

/// [LayerNorm,] then for each hidden layer Linear, ReLU, [LayerNorm,] dropout; the last Linear bare.
class Mlp : public torch::nn::Module {
 public:
  explicit Mlp(const MlpOptions& options);
  at::Tensor forward(const at::Tensor& rows, Rows of, const Step& step);

 private:
  double dropout_;
  torch::nn::LayerNorm input_norm_{nullptr};
  std::vector<torch::nn::Linear> linear_;
  std::vector<torch::nn::LayerNorm> norm_;
};

}  // namespace dshn::nn
