#include "dshn/nn/feature_rows.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/nn/linear.hpp"

namespace dshn::nn {
namespace {

constexpr std::int64_t kColumns = 130;

at::Tensor few_entries(std::int64_t rows, double share, bool counts) {
  torch::manual_seed(4);
  const at::Tensor kept = (torch::rand({rows, kColumns}) < share).to(torch::kDouble);
  return counts ? kept * torch::randn_like(kept) : kept;
}

/// The product of a training step with its gradients by weight and bias.
std::vector<at::Tensor> product(const at::Tensor& x, bool sparse, double p) {
  const auto drawn = [&](at::IntArrayRef sizes, std::uint64_t seed) {
    torch::manual_seed(seed);
    return torch::randn(sizes, x.scalar_type()).to(x.device());
  };
  const at::Tensor weight = drawn({9, kColumns}, 5).requires_grad_();
  const at::Tensor bias = drawn({9}, 7).requires_grad_();
  MaskStream masks(3, x.device());
  masks.start(2);
  const Step step{true, &masks};
  const at::Tensor y = (sparse ? FeatureRows::by_entries(x) : FeatureRows(x)).linear(weight, bias, step, p);
  auto results = torch::autograd::grad({y}, {weight, bias}, {drawn(y.sizes(), 6)});
  results.push_back(y.detach());
  return results;
}

TEST(FeatureRows, MultiplyAsTheDenseMatrixWithTheSameMask) {
  for (const bool counts : {false, true}) {
    for (const double p : {0.0, 0.4}) {
      const at::Tensor x = few_entries(300, 0.02, counts);
      const auto sparse = product(x, true, p);
      const auto dense = product(x, false, p);
      for (std::size_t i = 0; i < sparse.size(); ++i)
        EXPECT_TRUE(at::allclose(sparse[i], dense[i], 1e-11, 1e-11)) << counts << ' ' << p << ' ' << i;
    }
  }
}

/// The gradient of a product by the numbers of x, as a matrix with zeros where nothing is stored.
at::Tensor gradient_by_values(const FeatureRows& x) {
  torch::manual_seed(5);
  const at::Tensor weight = torch::randn({9, kColumns}, torch::kDouble);
  const at::Tensor leaf = x.values().clone().requires_grad_();
  const at::Tensor y = x.with_values(leaf).linear(weight, {}, {}, 0);
  return x.with_values(torch::autograd::grad({y.square().sum()}, {leaf})[0]).dense();
}

TEST(FeatureRows, AreDifferentiableInTheirNumbers) {
  for (const bool counts : {false, true}) {
    const at::Tensor x = few_entries(40, 0.05, counts);
    const at::Tensor expected = gradient_by_values(x) * x.ne(0);
    EXPECT_GT(expected.abs().max().item<double>(), 1);
    EXPECT_TRUE(at::allclose(gradient_by_values(FeatureRows::by_entries(x)), expected, 1e-11, 1e-11));
  }
}

TEST(FeatureRows, TellWhereTheNumbersOfARowAre) {
  const at::Tensor x = few_entries(40, 0.05, true);
  for (const FeatureRows& rows : {FeatureRows(x), FeatureRows::by_entries(x)}) {
    const at::Tensor values = rows.values().flatten();
    for (std::int64_t r = 0; r < 40; ++r) {
      const FeatureRows::Row row = rows.row(r);
      at::Tensor again = torch::zeros({kColumns}, torch::kDouble);
      for (std::size_t k = 0; k < row.columns.size(); ++k)
        again[row.columns[k]] = values[row.begin + static_cast<std::int64_t>(k)];
      EXPECT_TRUE(at::equal(again, x[r])) << r;
    }
  }
}

#ifdef DSHN_CUDA_KERNELS

TEST(FeatureRowsCuda, MultiplyAsOnTheCpu) {
  if (!torch::cuda::is_available())
    GTEST_SKIP()
        << "SKIPPED, NOT PASSED: this machine has no usable GPU; run scripts/gpu-check on one that has";
  for (const bool counts : {false, true}) {
    const at::Tensor x = few_entries(3000, 0.02, counts);
    const auto on_cpu = product(x, true, 0.4);
    const auto on_gpu = product(x.to(torch::kCUDA), true, 0.4);
    for (std::size_t i = 0; i < on_cpu.size(); ++i)
      EXPECT_TRUE(at::allclose(on_gpu[i].cpu(), on_cpu[i], 1e-11, 1e-11)) << counts << ' ' << i;
  }
}

#endif

TEST(FeatureRows, TakeRowsAndColumnsWithoutEntries) {
  at::Tensor x = torch::zeros({5, kColumns}, torch::kDouble);
  x[3][128] = 2;
  const auto sparse = product(x, true, 0);
  const auto dense = product(x, false, 0);
  for (std::size_t i = 0; i < sparse.size(); ++i) EXPECT_TRUE(at::allclose(sparse[i], dense[i]));
}

TEST(FeatureRows, GiveTheSameBitsForAnyNumberOfThreads) {
  const at::Tensor x = few_entries(20000, 0.03, true).to(torch::kFloat);
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const auto one = product(x, true, 0.5);
  at::set_num_threads(7);
  const auto many = product(x, true, 0.5);
  at::set_num_threads(before);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(at::equal(one[i], many[i])) << i;
}

TEST(FeatureRows, GiveTheDenseMatrixBack) {
  for (const bool counts : {false, true}) {
    const at::Tensor x = few_entries(50, 0.02, counts);
    const FeatureRows rows = FeatureRows::by_entries(x);
    EXPECT_TRUE(at::equal(rows.dense(), x));
    EXPECT_EQ(rows.entries(), at::count_nonzero(x).item<std::int64_t>());
    EXPECT_EQ(rows.numel(), x.numel());
    EXPECT_TRUE(at::equal(rows.to(at::kCPU, at::kFloat).dense(), x.to(at::kFloat)));
    EXPECT_TRUE(FeatureRows(x).dense().is_same(x)) << "a dense matrix is not copied";
  }
}

}  // namespace
}  // namespace dshn::nn
