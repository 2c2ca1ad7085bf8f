#include "dshn/nn/complex.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "dshn/nn/dropout.hpp"

namespace dshn::nn {
namespace {

at::Tensor signal(std::int64_t rows, std::int64_t d, std::int64_t planes, std::int64_t f) {
  torch::manual_seed(7);
  return torch::randn({rows, d, planes, f}, torch::kDouble);
}

TEST(ComplexRelu, KeepsBothPartsWhereTheRealPartIsPositive) {
  // Re = (1, -1, 0), Im = (-2, 3, 4)
  const at::Tensor x = torch::tensor({1.0, -1.0, 0.0, -2.0, 3.0, 4.0}, torch::kDouble).view({1, 1, 2, 3});

  const at::Tensor y = complex_relu(x);

  const at::Tensor expected =
      torch::tensor({1.0, 0.0, 0.0, -2.0, 0.0, 0.0}, torch::kDouble).view({1, 1, 2, 3});
  EXPECT_TRUE(torch::equal(y, expected)) << y;
}

TEST(ComplexRelu, IsThePlainOneOnRealSignals) {
  const at::Tensor x = signal(5, 2, 1, 3);
  EXPECT_TRUE(torch::equal(complex_relu(x), at::relu(x)));
}

TEST(Linear, ActsAlongStalksAndChannelsAsTheKroneckerProduct) {
  const at::Tensor x = signal(4, 3, 2, 5);
  const at::Tensor w1 = torch::randn({3, 3}, torch::kDouble);
  const at::Tensor w2 = torch::randn({5, 6}, torch::kDouble);

  const at::Tensor y = channel_linear(stalk_linear(x, w1), w2);

  const at::Tensor expected = torch::einsum("ij,njpf,fg->nipg", {w1, x, w2});
  EXPECT_LT((y - expected).abs().max().item<double>(), 1e-12);
}

TEST(UnwoundLinear, TreatsARealSignalAsOneWithoutImaginaryPart) {
  const at::Tensor real = signal(4, 3, 1, 5);
  const at::Tensor complex = torch::cat({real, torch::zeros_like(real)}, 2);
  const at::Tensor weight = torch::randn({7, 30}, torch::kDouble);

  EXPECT_LT((unwound_linear(real, weight) - unwound_linear(complex, weight)).abs().max().item<double>(),
            1e-12);
}

TEST(ComplexLayerNorm, WhitensTheTwoByTwoCovariance) {
  // Correlated parts with different scales; gamma = I / sqrt 2 is the initial affine map.
  const at::Tensor base = signal(6, 2, 2, 64);
  const at::Tensor re = 3 * base.select(2, 0) + 1;
  const at::Tensor im = 0.5 * base.select(2, 1) + base.select(2, 0) - 4;
  ComplexLayerNorm norm;
  norm.to(torch::kDouble);

  const at::Tensor y = norm.forward(torch::stack({re, im}, 2));

  const at::Tensor yr = y.select(2, 0);
  const at::Tensor yi = y.select(2, 1);
  EXPECT_LT(y.mean(3).abs().max().item<double>(), 1e-10);
  EXPECT_LT((yr.square().mean(2) - 0.5).abs().max().item<double>(), 1e-3);
  EXPECT_LT((yi.square().mean(2) - 0.5).abs().max().item<double>(), 1e-3);
  EXPECT_LT((yr * yi).mean(2).abs().max().item<double>(), 1e-3);
}

TEST(ComplexLayerNorm, HasFiniteGradientsOnAConstantSignal) {
  ComplexLayerNorm norm;
  norm.to(torch::kDouble);
  const at::Tensor x = torch::ones({2, 1, 2, 4}, torch::kDouble).requires_grad_();

  norm.forward(x).square().sum().backward();

  EXPECT_TRUE(x.grad().isfinite().all().item<bool>());
}

TEST(Dropout, DropsBothPlanesTogetherAndScalesTheRest) {
  const at::Tensor x = torch::ones({50, 4, 2, 33}, torch::kDouble);
  MaskStream masks(3);
  masks.start(1);

  const at::Tensor y = dropout(x, 0.25, Rows::nodes, masks);

  EXPECT_TRUE(torch::equal(y.select(2, 0), y.select(2, 1)));
  const double kept = (y > 0).to(torch::kDouble).mean().item<double>();
  EXPECT_NEAR(kept, 0.75, 0.02);
  EXPECT_NEAR(y.max().item<double>(), 1 / 0.75, 1e-12);
}

TEST(Dropout, IsAFunctionOfSeedStepAndCall) {
  const at::Tensor x = torch::ones({1000}, torch::kDouble);
  const auto masked = [&](std::uint64_t seed, std::uint64_t step, int calls) {
    MaskStream masks(seed);
    masks.start(step);
    at::Tensor y;
    for (int i = 0; i < calls; ++i) y = dropout(x, 0.5, Rows::nodes, masks);
    return y;
  };

  EXPECT_TRUE(torch::equal(masked(1, 2, 3), masked(1, 2, 3)));
  EXPECT_FALSE(torch::equal(masked(1, 2, 3), masked(2, 2, 3)));
  EXPECT_FALSE(torch::equal(masked(1, 2, 3), masked(1, 3, 3)));
  EXPECT_FALSE(torch::equal(masked(1, 2, 3), masked(1, 2, 2)));
}

TEST(Dropout, IsTheSameForAnyNumberOfThreads) {
  const at::Tensor x = torch::randn({300000}, torch::kFloat);
  const auto masked = [&](int threads) {
    at::set_num_threads(threads);
    MaskStream masks(9);
    masks.start(4);
    return dropout(x, 0.3, Rows::nodes, masks);
  };

  const at::Tensor one = masked(1);
  EXPECT_TRUE(torch::equal(one, masked(2)));
  EXPECT_TRUE(torch::equal(one, masked(7)));
}

TEST(Dropout, GradientAppliesTheSameMask) {
  const at::Tensor x = torch::randn({20, 2, 2, 5}, torch::kDouble).requires_grad_();
  MaskStream masks(5);
  masks.start(1);

  const at::Tensor y = dropout(x, 0.4, Rows::nodes, masks);
  y.sum().backward();

  const at::Tensor expected = torch::where(y != 0, torch::full_like(y, 1 / 0.6), torch::zeros_like(y));
  EXPECT_LT((x.grad() - expected).abs().max().item<double>(), 1e-12);
}

}  // namespace
}  // namespace dshn::nn
