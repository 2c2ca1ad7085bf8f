#include "train/flat_adam.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"

namespace dshn::train {
namespace {

torch::nn::Sequential small_network() {
  torch::manual_seed(1);
  torch::nn::Sequential network(torch::nn::Linear(3, 4), torch::nn::Tanh(), torch::nn::Linear(4, 2));
  network->to(torch::kDouble);
  return network;
}

/// Parameters after `steps` steps on the same random batches.
template <typename Step>
std::vector<at::Tensor> trained(torch::nn::Sequential& network, int steps, const Step& step) {
  torch::manual_seed(2);
  for (int i = 0; i < steps; ++i) {
    const at::Tensor loss = network->forward(torch::randn({5, 3}, torch::kDouble)).square().sum();
    loss.backward();
    step();
  }
  std::vector<at::Tensor> values;
  for (const at::Tensor& parameter : network->parameters()) values.push_back(parameter.detach().clone());
  return values;
}

TEST(FlatAdam, TakesTheStepsOfTorchsAdam) {
  for (const double decay : {0.0, 0.02}) {
    torch::nn::Sequential ours = small_network();
    torch::nn::Sequential theirs = small_network();
    FlatAdam flat(*ours, 0.05, decay);
    torch::optim::Adam adam(theirs->parameters(), torch::optim::AdamOptions(0.05).weight_decay(decay));

    const auto a = trained(ours, 20, [&] {
      flat.take_gradients();
      flat.step();
    });
    const auto b = trained(theirs, 20, [&] {
      adam.step();
      adam.zero_grad();
    });

    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(at::allclose(a[i], b[i], 1e-10, 1e-12)) << i;
  }
}

TEST(FlatAdam, PullsOnlyWhatDecays) {
  torch::nn::Sequential ours = small_network();
  torch::nn::Sequential theirs = small_network();
  FlatAdam flat(*ours, 0.05, 0.3, [](const std::string& name) { return name != "0.bias"; });
  std::vector<torch::optim::OptimizerParamGroup> groups;
  for (const auto& entry : theirs->named_parameters()) {
    auto options = std::make_unique<torch::optim::AdamOptions>(0.05);
    options->weight_decay(entry.key() == "0.bias" ? 0 : 0.3);
    groups.emplace_back(std::vector<at::Tensor>{entry.value()}, std::move(options));
  }
  torch::optim::Adam adam(groups);

  const auto a = trained(ours, 20, [&] {
    flat.take_gradients();
    flat.step();
  });
  const auto b = trained(theirs, 20, [&] {
    adam.step();
    adam.zero_grad();
  });

  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(at::allclose(a[i], b[i], 1e-10, 1e-12)) << i;
  const auto named = flat.weights_at(flat.parameters());
  for (const auto& entry : ours->named_parameters())
    EXPECT_TRUE(at::equal(named.at(entry.key()), entry.value())) << entry.key();
}

TEST(FlatAdam, LeavesFrozenParametersAlone) {
  torch::nn::Sequential network = small_network();
  at::Tensor frozen = network->parameters()[0];
  frozen.requires_grad_(false);
  const at::Tensor before = frozen.clone();
  FlatAdam flat(*network, 0.05, 0.02);
  trained(network, 3, [&] {
    flat.take_gradients();
    flat.step();
  });
  EXPECT_TRUE(at::equal(network->parameters()[0], before));
}

}  // namespace
}  // namespace dshn::train
