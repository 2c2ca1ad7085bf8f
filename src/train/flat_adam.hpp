#pragma once

#include <torch/nn/module.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace dshn::train {

/// Adam with L2 weight decay (Kingma and Ba, 2015) over one flat buffer that all trainable parameters become
/// views of: a step is a handful of vector operations however many parameters there are, on any device, and
/// the whole state is three tensors and a count.
class FlatAdam {
 public:
  /// `decays` says by name which parameters weight decay pulls to 0; without it, all.
  FlatAdam(torch::nn::Module& module, double learning_rate, double weight_decay,
           const std::function<bool(const std::string&)>& decays = {});

  /// Moves what backward left at the parameters to one place, where the next step finds it.
  void take_gradients();
  void step();

  /// What the next step goes by.
  at::Tensor gradients() const { return gradient_; }

  /// Parameters, first and second moments: what a checkpoint keeps.
  at::Tensor parameters() const { return values_; }
  /// All parameters and buffers of the module by name, the trainable ones with the numbers of an earlier
  /// parameters().
  std::map<std::string, at::Tensor> weights_at(const at::Tensor& values) const;
  at::Tensor first_moment() const { return first_; }
  at::Tensor second_moment() const { return second_; }
  /// Takes the state over from a checkpoint; shapes must agree.
  void restore(const at::Tensor& values, const at::Tensor& first, const at::Tensor& second,
               std::int64_t steps);

 private:
  torch::nn::Module& module_;
  double learning_rate_;
  double weight_decay_;
  std::vector<at::Tensor> trainable_;
  std::vector<std::int64_t> place_;  // of each in the buffer: those that decay come first
  std::int64_t decaying_ = 0;        // how many numbers they have
  at::Tensor values_;
  at::Tensor gradient_;
  at::Tensor first_;
  at::Tensor second_;
  at::Tensor steps_;  // a Float scalar
};

}  // namespace dshn::train
