#include "dshn/ops/rectify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"

namespace dshn::ops::test {
namespace {

MaskKey mask_of_step(std::uint64_t step) {
  return {torch::full({1}, step_key(11, step), torch::kLong), 2};
}

/// The definition, from separate operations.
at::Tensor composed(const at::Tensor& y, const OptionalTensor& skip, double p, const MaskKey& key) {
  const at::Tensor sum = skip.has_value() ? y + *skip : y;
  const at::Tensor kept = sum * (sum.narrow(2, 0, 1) > 0);
  return p == 0 ? kept : dropout(kept, p, key, y.size(2), y.size(3));
}

using Rectify = at::Tensor (*)(const at::Tensor&, const OptionalTensor&, double, const MaskKey&);

/// Value and gradients with a fixed random cotangent.
std::vector<at::Tensor> rectified(Rectify op, const at::Tensor& y, const at::Tensor& skip, double p) {
  std::vector<at::Tensor> inputs{y.detach().clone().requires_grad_(true)};
  if (skip.defined()) inputs.push_back(skip.detach().clone().requires_grad_(true));
  const at::Tensor out =
      op(inputs[0], skip.defined() ? OptionalTensor(inputs[1]) : OptionalTensor(), p, mask_of_step(5));
  torch::manual_seed(9);
  auto results = torch::autograd::grad({out}, inputs, {torch::randn(out.sizes(), out.options())});
  results.push_back(out.detach());
  return results;
}

TEST(Rectify, EqualsTheSeparateOperationsWithTheirGradients) {
  for (const auto& [rows, d, planes, f] : std::vector<std::array<std::int64_t, 4>>{
           {1, 1, 1, 1}, {5, 2, 2, 3}, {200, 4, 2, 17}, {130, 6, 1, 64}, {0, 3, 2, 4}}) {
    torch::manual_seed(2);
    const at::Tensor y = torch::randn({rows, d, planes, f}, torch::kDouble);
    for (const at::Tensor& skip : {at::Tensor(), torch::randn_like(y)}) {
      for (const double p : {0.0, 0.4}) {
        const auto ours = rectified(rectify, y, skip, p);
        const auto expected = rectified(composed, y, skip, p);
        for (std::size_t i = 0; i < ours.size(); ++i)
          EXPECT_TRUE(at::allclose(ours[i], expected[i], 1e-14, 1e-14)) << rows << ' ' << planes << ' ' << i;
      }
    }
  }
}

TEST(Rectify, GivesTheSameBitsForAnyNumberOfThreads) {
  torch::manual_seed(2);
  const at::Tensor y = torch::randn({3000, 4, 2, 16});
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const auto one = rectified(rectify, y, torch::ones_like(y), 0.5);
  at::set_num_threads(7);
  const auto many = rectified(rectify, y, torch::ones_like(y), 0.5);
  at::set_num_threads(before);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(at::equal(one[i], many[i]));
}

TEST(Rectify, ReadsTheKeyWhenItRuns) {
  const at::Tensor y = torch::ones({50, 2, 2, 8});
  MaskKey key = mask_of_step(1);
  const at::Tensor first = rectify(y, {}, 0.5, key);
  key.step_key.fill_(step_key(11, 2));
  EXPECT_FALSE(at::equal(first, rectify(y, {}, 0.5, key)));
  key.step_key.fill_(step_key(11, 1));
  EXPECT_TRUE(at::equal(first, rectify(y, {}, 0.5, key)));
}

std::string complaint(const at::Tensor& y, const OptionalTensor& skip, double p, const MaskKey& key) {
  try {
    rectify(y, skip, p, key);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(Rectify, RefusesWrongArguments) {
  const at::Tensor y = torch::ones({3, 2, 2, 4});
  EXPECT_THAT(complaint(torch::ones({3, 4}), {}, 0, {}),
              testing::HasSubstr("y: expected Float or Double [rows, d, planes, f]"));
  EXPECT_THAT(complaint(y, torch::ones({3, 2, 2, 5}), 0, {}), testing::HasSubstr("skip: expected like y"));
  EXPECT_THAT(complaint(y, {}, 0.5, {}), testing::HasSubstr("step_key: expected one Long on cpu"));
  EXPECT_THAT(complaint(y, {}, 1.5, mask_of_step(1)), testing::HasSubstr("p: expected a probability"));
}

}  // namespace
}  // namespace dshn::ops::test
