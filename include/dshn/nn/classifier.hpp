#pragma once

#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>

#include "dshn/nn/step.hpp"

namespace dshn::nn {

/// Two layers: Linear, ReLU, LayerNorm, dropout, Linear. The first acts on an unwound signal.
class Classifier : public torch::nn::Module {
 public:
  Classifier(std::int64_t inputs, std::int64_t hidden, std::int64_t classes, double dropout);
  /// What the second layer is given, [items, hidden], from plain rows [items, inputs].
  at::Tensor hidden(const at::Tensor& rows, Rows of, const Step& step);
  /// The same from a planar signal [items, d, planes, f] with inputs = d * 2 * f.
  at::Tensor hidden_planar(const at::Tensor& x, Rows of, const Step& step);
  /// Logits [items, classes] of hidden rows.
  at::Tensor scores(const at::Tensor& hidden_rows) const;
  /// scores(hidden_planar(x)) of `items` alone (Long; undefined: of all). On a CPU no other rows are worked on, and of
  /// many rows nothing is kept.
  at::Tensor scores_of(const at::Tensor& x, Rows of, const Step& step, const at::Tensor& items);

 private:
  at::Tensor normed(const at::Tensor& first) const;
  at::Tensor activated(const at::Tensor& first, Rows of, const Step& step);

  torch::nn::Linear first_;
  torch::nn::LayerNorm norm_;
  torch::nn::Linear second_;
  double dropout_;
};

}  // namespace dshn::nn
