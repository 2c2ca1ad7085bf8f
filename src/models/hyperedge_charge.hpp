#pragma once

#include <torch/nn/module.h>

#include "dshn/models/model.hpp"

namespace dshn::models {

/// A charge for each hyperedge from the mean of its members' features, q_e = tanh(w . x_e + b) / 2: strictly
/// between -1/2 and 1/2, beyond which phases repeat.
class HyperedgeCharge : public torch::nn::Module {
 public:
  /// All charges are near `start` before training; within (-1/2, 1/2), else UsageError.
  HyperedgeCharge(std::int64_t width, double start);
  /// [m], for a signal with this mean over the stalk, [n, 1, planes, f].
  at::Tensor forward(const at::Tensor& mean, const Input& input) const;

 private:
  at::Tensor weight_;  // [1, 2 f]
  at::Tensor bias_;    // [1]
};

}  // namespace dshn::models
