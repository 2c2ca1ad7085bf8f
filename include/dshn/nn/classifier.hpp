#pragma once

#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>

#include "dshn/nn/step.hpp"

namespace dshn::nn {

/// Two layers: Linear, ReLU, LayerNorm, dropout, Linear. The first acts on an unwound signal.
class Classifier : public torch::nn::Module {
 public:
  Classifier(std::int64_t inputs, std::int64_t hidden, std::int64_t classes, double dropout);
  /// Logits of plain rows [items, inputs].
  at::Tensor forward(const at::Tensor& rows, const Step& step);
  /// Logits of a planar signal [items, d, planes, f] with inputs = d * 2 * f.
  at::Tensor forward_planar(const at::Tensor& x, const Step& step);

 private:
  at::Tensor finish(const at::Tensor& hidden, const Step& step);

  torch::nn::Linear first_;
  torch::nn::LayerNorm norm_;
  torch::nn::Linear second_;
  double dropout_;
};

}  // namespace dshn::nn
