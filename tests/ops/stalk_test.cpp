#include "dshn/ops/stalk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"

namespace dshn::ops::test {
namespace {

/// Of a stalk product and its gradients with a fixed random cotangent.
struct StalkResult {
  at::Tensor y, gx, gw;
};

StalkResult apply(const at::Tensor& x, const at::Tensor& w,
                  const std::function<at::Tensor(const at::Tensor&, const at::Tensor&)>& product) {
  const at::Tensor xs = x.detach().clone().requires_grad_(true);
  const at::Tensor ws = w.detach().clone().requires_grad_(true);
  const at::Tensor y = product(xs, ws);
  torch::manual_seed(9);
  const auto gradients = torch::autograd::grad({y}, {xs, ws}, {torch::randn(y.sizes(), y.options())});
  return {y.detach(), gradients[0], gradients[1]};
}

TEST(StalkProduct, EqualsTheMatrixProductWithItsGradients) {
  for (const auto& [rows, d, planes, f] : std::vector<std::array<std::int64_t, 4>>{
           {1, 1, 1, 1}, {5, 2, 2, 3}, {200, 4, 2, 17}, {130, 6, 1, 64}, {70, 9, 2, 5}, {0, 3, 2, 4}}) {
    torch::manual_seed(2);
    const at::Tensor x = torch::randn({rows, d, planes, f}, torch::kDouble);
    const at::Tensor w = torch::randn({d, d}, torch::kDouble);

    const StalkResult ours = apply(x, w, stalk_product);
    const StalkResult expected = apply(x, w, [](const at::Tensor& a, const at::Tensor& b) {
      return at::einsum("ij,rjpf->ripf", {b, a});
    });

    EXPECT_TRUE(at::allclose(ours.y, expected.y, 1e-13, 1e-13)) << rows << ' ' << d;
    EXPECT_TRUE(at::allclose(ours.gx, expected.gx, 1e-13, 1e-13)) << rows << ' ' << d;
    EXPECT_TRUE(at::allclose(ours.gw, expected.gw, 1e-12, 1e-12)) << rows << ' ' << d;
  }
}

TEST(StalkProduct, ComesWithTheMeanAndItsGradient) {
  for (const auto& [rows, d, planes, f] :
       std::vector<std::array<std::int64_t, 4>>{{1, 1, 1, 1}, {200, 4, 2, 17}, {70, 9, 2, 5}, {0, 3, 2, 4}}) {
    torch::manual_seed(2);
    const at::Tensor x = torch::randn({rows, d, planes, f}, torch::kDouble);
    const at::Tensor w = torch::randn({d, d}, torch::kDouble);
    for (const bool both : {true, false}) {
      const auto joined = [both](const at::Tensor& y, const at::Tensor& mean) {
        return both ? at::cat({y, mean}, 1) : y;
      };
      const StalkResult ours = apply(x, w, [&](const at::Tensor& a, const at::Tensor& b) {
        const auto [y, mean] = stalk_product_and_mean(a, b);
        return joined(y, mean);
      });
      const StalkResult expected = apply(x, w, [&](const at::Tensor& a, const at::Tensor& b) {
        return joined(at::einsum("ij,rjpf->ripf", {b, a}), a.mean(1, true));
      });
      EXPECT_TRUE(at::allclose(ours.y, expected.y, 1e-13, 1e-13)) << rows << ' ' << both;
      EXPECT_TRUE(at::allclose(ours.gx, expected.gx, 1e-13, 1e-13)) << rows << ' ' << both;
      EXPECT_TRUE(at::allclose(ours.gw, expected.gw, 1e-12, 1e-12)) << rows << ' ' << both;
    }
  }
}

TEST(StalkProduct, GivesAMeanAloneItsGradient) {
  const at::Tensor x = torch::randn({5, 3, 2, 4}, torch::kDouble).requires_grad_(true);
  const at::Tensor mean = stalk_product_and_mean(x, torch::eye(3, torch::kDouble)).second;
  const at::Tensor gradient = torch::autograd::grad({mean.sum()}, {x})[0];
  EXPECT_TRUE(at::allclose(gradient, torch::full_like(gradient, 1.0 / 3)));
}

TEST(StalkProduct, GivesTheSameBitsForAnyNumberOfThreads) {
  torch::manual_seed(2);
  const at::Tensor x = torch::randn({3000, 4, 2, 16});
  const at::Tensor w = torch::randn({4, 4});
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const StalkResult one = apply(x, w, stalk_product);
  for (const int threads : {2, 7}) {
    at::set_num_threads(threads);
    const StalkResult many = apply(x, w, stalk_product);
    EXPECT_TRUE(at::equal(one.y, many.y));
    EXPECT_TRUE(at::equal(one.gx, many.gx));
    EXPECT_TRUE(at::equal(one.gw, many.gw));
  }
  at::set_num_threads(before);
}

TEST(StalkProduct, NamesTheArgumentThatDoesNotFit) {
  const at::Tensor x = torch::zeros({5, 3, 2, 4});
  const auto message = [&](const at::Tensor& signal, const at::Tensor& weight) {
    try {
      stalk_product(signal, weight);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(message(x, torch::zeros({2, 3})), testing::HasSubstr("weight: expected [d, d]"));
  EXPECT_THAT(message(x, torch::zeros({3, 3}, torch::kDouble)), testing::HasSubstr("weight"));
  EXPECT_THAT(message(torch::zeros({5}), torch::zeros({1, 1})), testing::HasSubstr("x: expected"));
}

}  // namespace
}  // namespace dshn::ops::test
