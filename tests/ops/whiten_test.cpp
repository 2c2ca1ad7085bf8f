#include "dshn/ops/whiten.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"

namespace dshn::ops::test {
namespace {

constexpr double kEpsilon = 1e-3;

/// The definition: the covariance's inverse root from its eigenvectors.
at::Tensor defined(const at::Tensor& x, double epsilon) {
  const at::Tensor centred = x - x.mean(3, /*keepdim=*/true);
  const at::Tensor covariance =
      at::matmul(centred, centred.transpose(2, 3)) / x.size(3) + epsilon * torch::eye(x.size(2), x.options());
  const auto [values, vectors] = at::linalg_eigh(covariance);
  return at::matmul(vectors * values.rsqrt().unsqueeze(2), at::matmul(vectors.transpose(2, 3), centred));
}

using Whiten = at::Tensor (*)(const at::Tensor&, double);

/// Value and gradient with a fixed random cotangent.
std::vector<at::Tensor> whitened(Whiten op, const at::Tensor& x) {
  const at::Tensor input = x.detach().clone().requires_grad_(true);
  const at::Tensor out = op(input, kEpsilon);
  torch::manual_seed(9);
  return {out.detach(), torch::autograd::grad({out}, {input}, {torch::randn(out.sizes(), out.options())})[0]};
}

/// Parts of different scales, correlated, off centre.
at::Tensor signal(at::IntArrayRef shape, at::ScalarType type) {
  torch::manual_seed(3);
  at::Tensor x = torch::randn(shape, torch::kDouble) + 2;
  if (x.size(2) == 2) x.select(2, 1).mul_(0.3).add_(x.select(2, 0), 0.7);
  return x.to(type);
}

TEST(Whiten, EqualsItsDefinitionWithTheGradient) {
  for (const auto& [rows, d, planes, f] : std::vector<std::array<std::int64_t, 4>>{
           {5, 2, 2, 3}, {200, 4, 2, 17}, {130, 6, 1, 64}, {40, 1, 2, 100}, {3, 2, 1, 2}}) {
    const auto ours = whitened(whiten, signal({rows, d, planes, f}, torch::kDouble));
    const auto expected = whitened(defined, signal({rows, d, planes, f}, torch::kDouble));
    for (std::size_t i = 0; i < ours.size(); ++i)
      EXPECT_TRUE(at::allclose(ours[i], expected[i], 1e-9, 1e-9)) << rows << ' ' << planes << ' ' << i;
  }
}

TEST(Whiten, IsAsExactInFloatAsItsNumbers) {
  const auto single = whitened(whiten, signal({100, 3, 2, 64}, torch::kFloat));
  const auto expected = whitened(defined, signal({100, 3, 2, 64}, torch::kFloat).to(torch::kDouble));
  EXPECT_TRUE(at::allclose(single[0].to(torch::kDouble), expected[0], 1e-4, 1e-4));
}

TEST(Whiten, TakesNoRowsAndOneChannelAndAConstant) {
  EXPECT_EQ(whitened(whiten, torch::ones({0, 3, 2, 4}))[1].numel(), 0);
  for (const at::Tensor& x : {torch::randn({4, 2, 2, 1}), torch::ones({4, 2, 2, 8})}) {
    for (const at::Tensor& result : whitened(whiten, x)) EXPECT_TRUE(result.isfinite().all().item<bool>());
    EXPECT_TRUE(at::equal(whiten(x, kEpsilon), torch::zeros_like(x)));
  }
}

TEST(Whiten, GivesTheSameBitsForAnyNumberOfThreads) {
  const at::Tensor x = signal({3000, 4, 2, 16}, torch::kFloat);
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const auto one = whitened(whiten, x);
  at::set_num_threads(7);
  const auto many = whitened(whiten, x);
  at::set_num_threads(before);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(at::equal(one[i], many[i]));
}

std::string complaint(const at::Tensor& x, double epsilon) {
  try {
    whiten(x, epsilon);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(Whiten, RefusesWrongArguments) {
  EXPECT_THAT(complaint(torch::ones({3, 4}), 1),
              testing::HasSubstr("x: expected Float or Double [rows, d, planes, f]"));
  EXPECT_THAT(complaint(torch::ones({3, 2, 3, 4}), 1), testing::HasSubstr("with 1 or 2 planes"));
  EXPECT_THAT(complaint(torch::ones({3, 2, 2, 4}), 0),
              testing::HasSubstr("epsilon: expected a number above 0"));
}

}  // namespace
}  // namespace dshn::ops::test
