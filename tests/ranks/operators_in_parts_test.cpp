// Operators that no model uses, and what a plan of another cut does.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/ops/segment.hpp"
#include "dshn/ranks/exchange.hpp"
#include "ranks/any_parts.hpp"

namespace dshn::ranks {
namespace {

/// gather_max over the members, and its gradient in the nodes' rows.
struct Maxima {
  at::Tensor rows;
  at::Tensor gradient;
};

Maxima maxima(const at::Tensor& x, const ops::Incidence& incidence, const at::Tensor& counted) {
  const at::Tensor given = x.clone().requires_grad_();
  const at::Tensor y = ops::gather_max(given, ops::Over::edges, incidence);
  y.index({counted}).square().sum().backward();
  return {y.detach(), given.grad()};
}

TEST(OperatorsInParts, FindTheGreatestOfAllParts) {
  const data::Dataset dataset = test::some_data(false);
  const models::Input whole = test::input_of(dataset);
  const Maxima expected =
      maxima(whole.x.dense(), whole.incidence, torch::ones({whole.incidence.edges()}, torch::kBool));
  const std::vector<parts::Part> parts = test::some_parts(dataset, 3);
  std::vector<at::Tensor> rows(3);
  std::vector<at::Tensor> gradients(3);

  test::on_ranks(3, [&](int rank, const std::shared_ptr<const Group>& group) {
    const auto exchange = make_exchange(parts[rank].plan, group);
    const models::Input part = test::input_of(parts[rank].dataset).as_part(exchange);
    const Maxima found = maxima(part.x.dense(), part.incidence, exchange->whole().edge_owned);
    rows[rank] = found.rows;
    gradients[rank] = found.gradient;
  });

  std::vector<std::vector<Index>> edges;
  std::vector<std::vector<Index>> nodes;
  for (const parts::Part& part : parts) {
    edges.push_back(part.plan.edges);
    nodes.push_back(part.plan.nodes);
  }
  EXPECT_TRUE(torch::equal(test::assembled(rows, edges, whole.incidence.edges()), expected.rows));
  EXPECT_TRUE(torch::equal(test::assembled(gradients, nodes, whole.incidence.nodes()), expected.gradient));
}

TEST(OperatorsInParts, GiveTheSameBitsInEveryRun) {
  const data::Dataset dataset = test::some_data(true);
  const std::vector<parts::Part> parts = test::some_parts(dataset, 4);
  std::vector<std::vector<at::Tensor>> runs(2, std::vector<at::Tensor>(4));
  for (auto& run : runs) {
    test::on_ranks(4, [&](int rank, const std::shared_ptr<const Group>& group) {
      const models::Input part =
          test::input_of(parts[rank].dataset).as_part(make_exchange(parts[rank].plan, group));
      run[rank] = ops::gather_sum(part.x.dense(), ops::Over::edges, part.incidence);
    });
  }
  for (int rank = 0; rank < 4; ++rank) EXPECT_TRUE(torch::equal(runs[0][rank], runs[1][rank]));
}

TEST(OperatorsInParts, RefuseThePartOfAnotherRank) {
  const std::vector<parts::Part> parts = test::some_parts(test::some_data(false), 2);
  const auto groups = Group::in_threads(2);
  EXPECT_THROW(make_exchange(parts[0].plan, groups[1]), UsageError);
  EXPECT_THROW(make_exchange(test::some_parts(test::some_data(false), 3)[0].plan, groups[0]), UsageError);
}

}  // namespace
}  // namespace dshn::ranks
