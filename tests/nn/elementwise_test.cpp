#include "dshn/nn/elementwise.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace dshn::nn {
namespace {

struct Case {
  std::string name;
  std::function<at::Tensor(const at::Tensor&)> ours;
  std::function<at::Tensor(const at::Tensor&)> plain;
};

class ElementwiseTest : public testing::TestWithParam<Case> {};

/// Value and gradient at positive numbers, where all of them are defined.
std::pair<at::Tensor, at::Tensor> both(const std::function<at::Tensor(const at::Tensor&)>& function,
                                       const at::Tensor& values) {
  const at::Tensor x = values.clone().requires_grad_();
  const at::Tensor y = function(x);
  (y * y).sum().backward();
  return {y.detach(), x.grad()};
}

TEST_P(ElementwiseTest, IsWhatLibtorchComputes) {
  torch::manual_seed(1);
  const at::Tensor x = at::rand({61, 7, 3}, at::kDouble).transpose(0, 1) * 2 + 0.1;
  const auto [y, gradient] = both(GetParam().ours, x);
  const auto [expected, expected_gradient] = both(GetParam().plain, x);
  EXPECT_EQ(y.sizes(), x.sizes());
  EXPECT_TRUE(at::allclose(y, expected, 1e-14, 1e-14));
  EXPECT_TRUE(at::allclose(gradient, expected_gradient, 1e-13, 1e-13));
}

TEST_P(ElementwiseTest, HasTheSameBitsForAnyNumberOfThreads) {
  torch::manual_seed(2);
  const at::Tensor x = at::rand({100'003}) * 2 + 0.1;
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const auto [one, one_gradient] = both(GetParam().ours, x);
  for (const int threads : {2, 3, 7}) {
    at::set_num_threads(threads);
    const auto [several, gradient] = both(GetParam().ours, x);
    EXPECT_TRUE(torch::equal(one, several)) << threads;
    EXPECT_TRUE(torch::equal(one_gradient, gradient)) << threads;
  }
  at::set_num_threads(before);
}

std::vector<Case> all_functions() {
  return {{"elu", nn::elu, [](const at::Tensor& x) { return at::elu(x); }},
          {"elu_below_zero", [](const at::Tensor& x) { return nn::elu(-x); },
           [](const at::Tensor& x) { return at::elu(-x); }},
          {"sigmoid", nn::sigmoid, [](const at::Tensor& x) { return at::sigmoid(x); }},
          {"tanh", nn::tanh, [](const at::Tensor& x) { return at::tanh(x); }},
          {"exp", nn::exp, [](const at::Tensor& x) { return at::exp(x); }},
          {"log", nn::log, [](const at::Tensor& x) { return at::log(x); }},
          {"cos", nn::cos, [](const at::Tensor& x) { return at::cos(x); }},
          {"sin", nn::sin, [](const at::Tensor& x) { return at::sin(x); }},
          {"pow", [](const at::Tensor& x) { return nn::pow(x, 2.5); },
           [](const at::Tensor& x) { return at::pow(x, 2.5); }}};
}

std::string case_name(const testing::TestParamInfo<Case>& tested) {
  return tested.param.name;
}

INSTANTIATE_TEST_SUITE_P(Functions, ElementwiseTest, testing::ValuesIn(all_functions()), case_name);

}  // namespace
}  // namespace dshn::nn
