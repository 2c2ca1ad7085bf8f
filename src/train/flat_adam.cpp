#include "train/flat_adam.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace dshn::train {
namespace {

constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr double kEpsilon = 1e-8;

}  // namespace

FlatAdam::FlatAdam(torch::nn::Module& module, double learning_rate, double weight_decay,
                   const std::function<bool(const std::string&)>& decays)
    : module_(module), learning_rate_(learning_rate), weight_decay_(weight_decay) {
  std::vector<bool> pulled;
  for (const auto& entry : module.named_parameters()) {
    if (!entry.value().requires_grad()) continue;
    trainable_.push_back(entry.value());
    pulled.push_back(!decays || decays(entry.key()));
  }
  place_.resize(trainable_.size());
  std::int64_t total = 0;
  for (const bool decaying : {true, false}) {
    for (std::size_t i = 0; i < trainable_.size(); ++i) {
      if (pulled[i] == decaying) place_[i] = std::exchange(total, total + trainable_[i].numel());
    }
    if (decaying) decaying_ = total;
  }
  const at::TensorOptions options = trainable_.at(0).options().requires_grad(false);
  values_ = torch::empty({total}, options);
  gradient_ = torch::empty({total}, options);
  first_ = torch::zeros({total}, options);
  second_ = torch::zeros({total}, options);
  steps_ = torch::zeros({}, options.dtype(at::kFloat));
  const torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < trainable_.size(); ++i) {
    at::Tensor& parameter = trainable_[i];
    const at::Tensor home = values_.narrow(0, place_[i], parameter.numel()).view(parameter.sizes());
    home.copy_(parameter);
    parameter.set_data(home);
  }
}

void FlatAdam::take_gradients() {
  const torch::NoGradGuard no_grad;
  std::vector<std::pair<std::int64_t, at::Tensor>> placed;
  for (std::size_t i = 0; i < trainable_.size(); ++i) {
    const at::Tensor& part = trainable_[i].grad();
    placed.emplace_back(place_[i], part.defined() ? part.reshape({-1})
                                                  : torch::zeros({trainable_[i].numel()}, values_.options()));
  }
  std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<at::Tensor> parts;
  for (const auto& [place, part] : placed) parts.push_back(part);
  at::cat_out(gradient_, parts);
  // Nothing to add to: autograd then hands its own tensors over instead of copying them.
  for (at::Tensor& parameter : trainable_) parameter.mutable_grad() = at::Tensor();
}

void FlatAdam::step() {
  const torch::NoGradGuard no_grad;
  // The count is a number on the device: a recorded step counts when it is played again.
  steps_.add_(1);
#ifdef DSHN_CUDA_KERNELS
  if (values_.is_cuda()) {
    const auto step_part = [&](std::int64_t begin, std::int64_t count, double decay) {
      const auto part = [&](const at::Tensor& all) { return all.narrow(0, begin, count); };
      if (count > 0)
        at::_fused_adam_({part(values_)}, {part(gradient_)}, {part(first_)}, {part(second_)}, {}, {steps_},
                         learning_rate_, kBeta1, kBeta2, decay, kEpsilon, /*amsgrad=*/false,
                         /*maximize=*/false);
    };
    step_part(0, decaying_, weight_decay_);
    step_part(decaying_, values_.size(0) - decaying_, 0);
    return;
  }
#endif
  const auto count = steps_.item<double>();
  if (weight_decay_ > 0)
    gradient_.narrow(0, 0, decaying_).add_(values_.narrow(0, 0, decaying_), weight_decay_);
  first_.mul_(kBeta1).add_(gradient_, 1 - kBeta1);
  second_.mul_(kBeta2).addcmul_(gradient_, gradient_, 1 - kBeta2);
  const at::Tensor denominator = second_.sqrt().div_(std::sqrt(1 - std::pow(kBeta2, count))).add_(kEpsilon);
  values_.addcdiv_(first_, denominator, -learning_rate_ / (1 - std::pow(kBeta1, count)));
}

std::map<std::string, at::Tensor> FlatAdam::weights_at(const at::Tensor& values) const {
  std::map<std::string, at::Tensor> weights;
  std::size_t i = 0;
  for (const auto& entry : module_.named_parameters()) {
    const at::Tensor& parameter = entry.value();
    weights[entry.key()] = parameter.detach();
    if (!parameter.requires_grad()) continue;
    weights[entry.key()] = values.narrow(0, place_[i++], parameter.numel()).view(parameter.sizes());
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
