#include "train/flat_adam.hpp"

#include <torch/torch.h>

namespace dshn::train {
namespace {

constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr double kEpsilon = 1e-8;

}  // namespace

FlatAdam::FlatAdam(torch::nn::Module& module, double learning_rate, double weight_decay)
    : module_(module), learning_rate_(learning_rate), weight_decay_(weight_decay) {
  std::vector<at::Tensor> trainable;
  std::int64_t total = 0;
  for (const at::Tensor& parameter : module.parameters()) {
    if (!parameter.requires_grad()) continue;
    trainable.push_back(parameter);
    total += parameter.numel();
  }
  const at::TensorOptions options = trainable.at(0).options().requires_grad(false);
  values_ = torch::empty({total}, options);
  gradients_ = torch::zeros({total}, options);
  first_ = torch::zeros({total}, options);
  second_ = torch::zeros({total}, options);
  steps_ = torch::zeros({}, options.dtype(at::kDouble));
  std::int64_t at = 0;
  const torch::NoGradGuard no_grad;
  for (at::Tensor& parameter : trainable) {
    const at::Tensor home = values_.narrow(0, at, parameter.numel()).view(parameter.sizes());
    home.copy_(parameter);
    parameter.set_data(home);
    parameter.mutable_grad() = gradients_.narrow(0, at, parameter.numel()).view(parameter.sizes());
    at += parameter.numel();
  }
}

void FlatAdam::zero_grad() {
  gradients_.zero_();
}

void FlatAdam::step() {
  const torch::NoGradGuard no_grad;
  // The count is a number on the device: a recorded step counts when it is played again.
  steps_.add_(1);
  const at::Tensor first_bias = 1 - at::pow(kBeta1, steps_);
  const at::Tensor second_bias = 1 - at::pow(kBeta2, steps_);
  if (weight_decay_ > 0) gradients_.add_(values_, weight_decay_);
  first_.mul_(kBeta1).add_(gradients_, 1 - kBeta1);
  second_.mul_(kBeta2).addcmul_(gradients_, gradients_, 1 - kBeta2);
  const at::Tensor denominator = second_.sqrt().div_(second_bias.sqrt()).add_(kEpsilon).mul_(first_bias);
  values_.addcdiv_(first_, denominator, -learning_rate_);
}

std::map<std::string, at::Tensor> FlatAdam::weights_at(const at::Tensor& values) const {
  std::map<std::string, at::Tensor> weights;
  std::int64_t at = 0;
  for (const auto& entry : module_.named_parameters()) {
    const at::Tensor& parameter = entry.value();
    weights[entry.key()] = parameter.detach();
    if (!parameter.requires_grad()) continue;
    weights[entry.key()] = values.narrow(0, at, parameter.numel()).view(parameter.sizes());
    at += parameter.numel();
  }
  for (const auto& entry : module_.named_buffers()) weights[entry.key()] = entry.value().detach();
  return weights;
}

void FlatAdam::restore(const at::Tensor& values, const at::Tensor& first, const at::Tensor& second,
                       std::int64_t steps) {
  const torch::NoGradGuard no_grad;
  values_.copy_(values);
  first_.copy_(first);
  second_.copy_(second);
  steps_.fill_(steps);
}

}  // namespace dshn::train
