#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "models/convolution_cases.hpp"

namespace dshn::models {
namespace {

const Assignments kSmallHnhn{{"hidden_width", "3"}, {"layers", "2"}};

/// With two dense n x m matrices, whose rows sum to 1 in the paper's form.
at::Tensor dense_hnhn(const Model& model, const test::ConvolutionCase& given) {
  const test::DenseIncidence b(given.extended());
  const at::Tensor degree = b.degrees();
  const at::Tensor size = b.sizes();
  const at::Tensor up = b.members.t() * test::or_zero(degree.pow(-0.5));  // [m, n]
  const at::Tensor down = b.members * test::or_zero(size.pow(-1.5));      // [n, m]
  const at::Tensor up_sum = given.authors() ? torch::mv(b.members.t(), degree) : up.sum(1);
  const at::Tensor down_sum = given.authors() ? torch::mv(b.members, size) : down.sum(1);
  const at::Tensor to_edges = test::or_zero(up / up_sum.unsqueeze(1));
  const at::Tensor to_nodes = test::or_zero(down / down_sum.unsqueeze(1));
  const auto hyperedges = [&](const at::Tensor& x, const char* layer) {
    return torch::relu(torch::mm(to_edges, test::dense_linear(x, model, layer)));
  };
  const at::Tensor h0 = hyperedges(given.input.x.dense(), "first0");
  const at::Tensor h1 =
      hyperedges(torch::relu(torch::mm(to_nodes, test::dense_linear(h0, model, "second0"))), "first1");
  if (given.target == Target::nodes) return torch::mm(to_nodes, test::dense_linear(h1, model, "second1"));
  return test::dense_linear(test::dense_target(torch::mm(to_nodes, h1), given.hypergraph, given.target),
                            model, "second1");
}

TEST(Hnhn, AgreesWithTheDenseMatrices) {
  test::expect_agreement("hnhn", kSmallHnhn, dense_hnhn);
}

TEST(Hnhn, HasTrueGradients) {
  test::expect_true_gradients_of_variants("hnhn", kSmallHnhn);
}

TEST(Hnhn, GivesTheHandComputedRows) {
  const Input input = test::one_feature(test::star_of_six(), {2, 1, -3, 5, 1, 4});
  const Assignments set{{"hidden_width", "1"}, {"layers", "1"}, {"self_loops", "false"}, {"alpha", "-1"}};
  const auto logits_of = [&](const char* variant) {
    Assignments all = set;
    all["variant"] = variant;
    const auto model = test::one_feature_model("hnhn", all, input);
    test::set_parameter(*model, "first0.weight", {2});
    test::set_parameter(*model, "first0.bias", {1});
    test::set_parameter(*model, "second0.weight", {1, -1});
    test::set_parameter(*model, "second0.bias", {3, 0});
    return test::logits(*model, input);
  };
  // 2 x + 1 = (5, 3, -5, 11, 3, 9); node 0 counts 1/2 = 4^-1/2, the others 1. The hyperedges' sums are 5.5,
  // -2.5, 13.5 and 14.5; ReLU drops the second. Hyperedges count 1/2, 1/2, 1/2 and 1/3 at node 0.

  // Divided by 1.5, 1.5, 1.5, 2.5: 11/3, 0, 9, 5.8. At node 0 by 11/6.
  const double centre = (11.0 / 6 + 4.5 + 5.8 / 3) / (11.0 / 6);
  const at::Tensor paper = torch::tensor({centre, 11.0 / 3, 0.0, 9.0, 5.8, 5.8}, torch::kDouble).unsqueeze(1);
  EXPECT_LT(test::distance(logits_of("paper"), torch::cat({paper + 3, -paper}, 1)), 1e-12);

  // Divided by the members' degrees 5, 5, 5, 6: 1.1, 0, 2.7, 29/12. At the nodes by the sizes' sums 9, 2, 2,
  // 2, 3, 3: the last ones get (1/2) / 2 of their hyperedge's value, or (1/3) / 3.
  const double fourth = 29.0 / 12;
  const at::Tensor values = torch::tensor(
      {(0.55 + 1.35 + fourth / 3) / 9, 1.1 / 4, 0.0, 2.7 / 4, fourth / 9, fourth / 9}, torch::kDouble);
  const at::Tensor shares =
      torch::tensor({11.0 / 6 / 9, 1.0 / 4, 1.0 / 4, 1.0 / 4, 1.0 / 9, 1.0 / 9}, torch::kDouble);
  EXPECT_LT(test::distance(logits_of("authors"), torch::stack({values + 3 * shares, -values}, 1)), 1e-12);
}

}  // namespace
}  // namespace dshn::models
