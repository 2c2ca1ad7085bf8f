// Mlp, Classifier and layer norm against the same layers written with libtorch's own functions.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/nn/classifier.hpp"
#include "dshn/nn/complex.hpp"
#include "dshn/nn/mlp.hpp"
#include "dshn/nn/norm.hpp"

namespace dshn::nn {
namespace {

const Step kEvaluation{false, nullptr};

at::Tensor rows_of(std::int64_t count, std::int64_t width) {
  torch::manual_seed(7);
  return torch::randn({count, width}, torch::kDouble).requires_grad_();
}

at::Tensor plain_norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  const at::Tensor centred = x - x.mean(1, true);
  return centred / (centred.square().mean(1, true) + 1e-5).sqrt() * weight + bias;
}

void expect_same_with_gradients(const at::Tensor& ours, const at::Tensor& plain,
                                const std::vector<at::Tensor>& inputs) {
  ASSERT_EQ(ours.sizes(), plain.sizes());
  EXPECT_TRUE(at::allclose(ours, plain, 1e-10, 1e-12));
  const at::Tensor weights = torch::randn_like(plain);
  const auto a = torch::autograd::grad({ours}, inputs, {weights}, true);
  const auto b = torch::autograd::grad({plain}, inputs, {weights}, true);
  for (std::size_t i = 0; i < inputs.size(); ++i) EXPECT_TRUE(at::allclose(a[i], b[i], 1e-9, 1e-11)) << i;
}

/// Parameters by name, with values that are not those of a fresh layer.
template <typename Module>
torch::OrderedDict<std::string, at::Tensor> shaken(Module& module) {
  const torch::NoGradGuard no_grad;
  torch::manual_seed(8);
  module.to(torch::kDouble);
  for (at::Tensor& parameter : module.parameters()) parameter.add_(0.3 * torch::randn_like(parameter));
  return module.named_parameters();
}

TEST(LayerNorm, IsTheDefinitionWithItsGradients) {
  torch::nn::LayerNormImpl norm(torch::nn::LayerNormOptions({6}));
  shaken(norm);
  const at::Tensor x = rows_of(5, 6);
  expect_same_with_gradients(layer_norm(x, norm), plain_norm(x, norm.weight, norm.bias),
                             {x, norm.weight, norm.bias});
}

TEST(Mlp, IsLinearReluNormLinear) {
  for (const bool norm : {false, true}) {
    MlpOptions options;
    options.inputs = 4;
    options.hidden = 5;
    options.outputs = 3;
    options.norm = norm;
    options.input_norm = norm;
    Mlp mlp(options);
    auto p = shaken(mlp);
    const at::Tensor x = rows_of(7, 4);
    at::Tensor y = norm ? plain_norm(x, p["input_norm.weight"], p["input_norm.bias"]) : x;
    y = torch::relu(y.matmul(p["linear0.weight"].t()) + p["linear0.bias"]);
    if (norm) y = plain_norm(y, p["norm0.weight"], p["norm0.bias"]);
    y = y.matmul(p["linear1.weight"].t()) + p["linear1.bias"];
    expect_same_with_gradients(mlp.forward(x, Rows::nodes, kEvaluation), y,
                               {x, p["linear0.weight"], p["linear1.bias"]});
  }
}

TEST(Mlp, OfOneLayerIsLinear) {
  MlpOptions options;
  options.inputs = 4;
  options.outputs = 2;
  options.layers = 1;
  Mlp mlp(options);
  auto p = shaken(mlp);
  const at::Tensor x = rows_of(3, 4);
  expect_same_with_gradients(mlp.forward(x, Rows::nodes, kEvaluation),
                             x.matmul(p["linear0.weight"].t()) + p["linear0.bias"], {x});
}

TEST(Mlp, DoesNotNormASingleColumn) {
  MlpOptions options;
  options.inputs = 1;
  options.hidden = 3;
  options.outputs = 2;
  options.input_norm = true;
  EXPECT_FALSE(Mlp(options).named_parameters().contains("input_norm.weight"));
}

TEST(Classifier, IsLinearReluNormLinear) {
  Classifier classifier(8, 5, 3, 0.5);
  auto p = shaken(classifier);
  const at::Tensor x = rows_of(6, 8);
  at::Tensor hidden = torch::relu(x.matmul(p["first.weight"].t()) + p["first.bias"]);
  hidden = plain_norm(hidden, p["norm.weight"], p["norm.bias"]);
  const at::Tensor plain = hidden.matmul(p["second.weight"].t()) + p["second.bias"];
  expect_same_with_gradients(classifier.scores(classifier.hidden(x, Rows::nodes, kEvaluation)), plain,
                             {x, p["first.weight"], p["second.weight"]});
}

TEST(Classifier, TakesAPlanarSignalAsItsUnwoundRows) {
  Classifier classifier(12, 5, 3, 0);
  shaken(classifier);
  torch::manual_seed(9);
  const at::Tensor x = torch::randn({4, 2, 2, 3}, torch::kDouble);
  EXPECT_TRUE(at::allclose(classifier.hidden_planar(x, Rows::nodes, kEvaluation),
                           classifier.hidden(unwind(x), Rows::nodes, kEvaluation)));
}

TEST(Classifier, DropsHiddenNumbersInTraining) {
  Classifier classifier(8, 400, 3, 0.5);
  shaken(classifier);
  MaskStream masks(1);
  masks.start(1);
  const at::Tensor hidden = classifier.hidden(rows_of(6, 8), Rows::nodes, {true, &masks});
  EXPECT_NEAR((hidden == 0).to(torch::kDouble).mean().item<double>(), 0.5, 0.05);
}

}  // namespace
}  // namespace dshn::nn
