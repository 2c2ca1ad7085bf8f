// Work that is done again in backward, against the same work that autograd keeps.
#include "dshn/nn/recompute.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/nn/classifier.hpp"
#include "dshn/nn/dropout.hpp"
#include "support/message_of.hpp"

namespace dshn::nn {
namespace {

constexpr std::int64_t kManyRows = 20000;

at::Tensor numbers(at::IntArrayRef sizes, std::uint64_t seed) {
  torch::manual_seed(seed);
  return torch::randn(sizes, torch::kDouble).requires_grad_();
}

/// The gradients go through the first two of several outputs.
void expect_same(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b,
                 const std::vector<at::Tensor>& leaves) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(at::equal(a[i], b[i])) << i;
  const std::vector<at::Tensor> upstream{torch::randn_like(b[0]), torch::randn_like(b[1])};
  const auto first = torch::autograd::grad({a[0], a[1]}, leaves, upstream);
  const auto second = torch::autograd::grad({b[0], b[1]}, leaves, upstream);
  for (std::size_t i = 0; i < leaves.size(); ++i)
    EXPECT_TRUE(at::allclose(first[i], second[i], 1e-10, 1e-10)) << i;
}

TEST(InRowBlocks, IsTheWorkOnAllRowsAtOnceWithItsGradients) {
  const at::Tensor x = numbers({kManyRows, 3}, 1);
  const at::Tensor weight = numbers({3, 2}, 2);
  const RowWork work = [&](const at::Tensor& rows, const at::Tensor& of) {
    const at::Tensor y = at::tanh(rows.matmul(weight)) * of.to(at::kDouble).add(1).log().unsqueeze(1);
    return std::vector{y, rows.square().sum(1), rows.sum(1)};
  };
  const at::Tensor all = at::arange(kManyRows, at::kLong);
  expect_same(in_row_blocks(work, x, {}, {weight}), work(x, all), {x, weight});
  torch::manual_seed(3);
  const at::Tensor some = at::randperm(kManyRows, at::kLong).narrow(0, 0, 9000);
  expect_same(in_row_blocks(work, x, some, {weight}), work(x.index_select(0, some), some), {x, weight});
  const at::Tensor none = some.narrow(0, 0, 0);
  expect_same(in_row_blocks(work, x, none, {weight}), work(x.index_select(0, none), none), {x, weight});
}

TEST(InRowBlocks, WorksOnFewRowsAtATime) {
  const RowBlockSize small(10);
  const at::Tensor x = numbers({95, 2}, 4);
  std::int64_t most = 0;
  int calls = 0;
  const RowWork work = [&](const at::Tensor& rows, const at::Tensor&) {
    most = std::max(most, rows.size(0));
    ++calls;
    return std::vector{rows * rows};
  };
  const at::Tensor y = in_row_blocks(work, x, {}, {})[0];
  EXPECT_EQ(calls, 10);
  y.sum().backward();
  EXPECT_EQ(calls, 20);
  EXPECT_EQ(most, 10);
  EXPECT_TRUE(at::allclose(x.grad(), 2 * x.detach()));
}

TEST(RowBlockSize, LastsAsLongAsItLives) {
  const std::int64_t before = RowBlockSize::now();
  {
    const RowBlockSize small(7);
    EXPECT_EQ(RowBlockSize::now(), 7);
  }
  EXPECT_EQ(RowBlockSize::now(), before);
}

TEST(Recomputed, IsTheWorkWithItsGradients) {
  const at::Tensor x = numbers({5, 3}, 5);
  const at::Tensor untouched = numbers({5, 3}, 6);
  const at::Tensor weight = numbers({3, 4}, 7);
  int calls = 0;
  const Work work = [&](const std::vector<at::Tensor>& given) {
    ++calls;
    const at::Tensor y = at::tanh(given[0].matmul(weight));
    return std::vector<at::Tensor>{y * y, y.sum(1)};
  };
  const std::vector<at::Tensor> again = recomputed(work, {x, untouched}, {weight});
  EXPECT_EQ(calls, 1);
  const std::vector<at::Tensor> kept = work({x, untouched});
  for (const std::size_t i : {0, 1}) EXPECT_TRUE(at::equal(again[i], kept[i])) << i;
  const std::vector<at::Tensor> leaves{x, weight, untouched};
  const auto gradients = [&](const std::vector<at::Tensor>& made) {
    const std::vector<at::Tensor> upstream{at::full_like(made[0], 2), at::full_like(made[1], 3)};
    return torch::autograd::grad(made, leaves, upstream, {}, false, /*allow_unused=*/true);
  };
  const auto first = gradients(again);
  const auto second = gradients(kept);
  for (const std::size_t i : {0, 1}) EXPECT_TRUE(at::allclose(first[i], second[i], 1e-12, 1e-12)) << i;
  EXPECT_FALSE(first[2].defined());
}

TEST(Recomputed, RefusesSecondDerivatives) {
  const at::Tensor x = numbers({5}, 8);
  const Work square = [](const std::vector<at::Tensor>& given) {
    return std::vector<at::Tensor>{given[0] * given[0]};
  };
  const at::Tensor y = recomputed(square, {x}, {})[0];
  const auto twice = [&] { torch::autograd::grad({y.sum()}, {x}, {}, true, /*create_graph=*/true); };
  EXPECT_NE(test::message_of<UsageError>(twice).find("second derivative"), std::string::npos);
}

TEST(MaskStream, ForksStayWhereTheyAre) {
  MaskStream masks(3);
  masks.start(1);
  masks.next(Rows::nodes);
  MaskStream fork = masks.fork();
  const at::Tensor ones = torch::ones({200});
  const at::Tensor here = dropout(ones, 0.5, Rows::nodes, masks);
  masks.start(2);
  EXPECT_EQ(fork.taken(), 1);
  EXPECT_TRUE(at::equal(dropout(ones, 0.5, Rows::nodes, fork), here));
  fork.go_to(1);
  EXPECT_TRUE(at::equal(dropout(ones, 0.5, Rows::nodes, fork), here));
}

TEST(Classifier, ScoresOfSomeItemsAreThoseOfAll) {
  torch::manual_seed(9);
  constexpr std::int64_t kRow = 12;  // of the signal below
  Classifier classifier(kRow, 5, 4, 0.5);
  classifier.to(torch::kDouble);
  const at::Tensor x = numbers({300, 2, 2, 3}, 10);
  const at::Tensor items = at::randperm(300, at::kLong).narrow(0, 0, 120);
  std::vector<at::Tensor> leaves = classifier.parameters();
  leaves.push_back(x);
  for (const bool training : {false, true}) {
    for (const std::int64_t rows : {16, 1000}) {
      const RowBlockSize block(rows);
      MaskStream masks(1);
      masks.start(4);
      MaskStream others = masks.fork();
      const at::Tensor all = classifier.scores(classifier.hidden_planar(x, Rows::nodes, {training, &masks}));
      const at::Tensor some = classifier.scores_of(x, Rows::nodes, {training, &others}, items);
      EXPECT_TRUE(at::allclose(some, all.index_select(0, items), 1e-12, 1e-12));
      const at::Tensor upstream = torch::randn_like(some);
      const auto a = torch::autograd::grad({some}, leaves, {upstream});
      const auto b = torch::autograd::grad({all.index_select(0, items)}, leaves, {upstream});
      for (std::size_t i = 0; i < leaves.size(); ++i)
        EXPECT_TRUE(at::allclose(a[i], b[i], 1e-10, 1e-12)) << training << rows << i;
    }
  }
}

}  // namespace
}  // namespace dshn::nn
