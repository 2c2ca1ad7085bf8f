#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "models/convolution_cases.hpp"

namespace dshn::models {
namespace {

const Assignments kSmallUniGcnii{{"hidden_width", "3"}, {"layers", "3"}, {"restart", "0.3"}};

/// With the n x n matrix D^-1/2 H diag(d) Delta^-1 H^T, or D^-1 H Delta^-1 H^T.
at::Tensor dense_unigcnii(const Model& model, const test::ConvolutionCase& given) {
  const test::DenseIncidence b(given.extended());
  const at::Tensor degree = b.degrees();
  at::Tensor of_edge = 1 / b.sizes();
  if (!given.authors()) of_edge = of_edge * (torch::mv(b.members.t(), degree) / b.sizes()).pow(-0.5);
  const at::Tensor of_node = test::or_zero(degree.pow(given.authors() ? -1 : -0.5));
  const at::Tensor p = of_node.unsqueeze(1) * torch::mm(b.members * of_edge, b.members.t());
  const at::Tensor start = torch::relu(test::dense_linear(given.input.x.dense(), model, "lift"));
  at::Tensor x = start;
  for (int i = 0; i < 3; ++i) {
    const double beta = std::log(0.5 / (i + 1) + 1);
    const at::Tensor w = test::parameter(model, "layer" + std::to_string(i) + ".weight");
    const at::Tensor mix = (1 - beta) * torch::eye(3, torch::kDouble) + beta * w;
    x = torch::relu(torch::mm(0.7 * torch::mm(p, x) + 0.3 * start, mix.t()));
  }
  return test::dense_linear(test::dense_target(x, given.hypergraph, given.target), model, "classifier");
}

TEST(UniGcnii, AgreesWithTheDenseMatrix) {
  test::expect_agreement("unigcnii", kSmallUniGcnii, dense_unigcnii);
}

TEST(UniGcnii, HasTrueGradients) {
  test::expect_true_gradients_of_variants("unigcnii", kSmallUniGcnii);
}

TEST(UniGcnii, GivesTheHandComputedRows) {
  const Input input = test::one_feature(test::star_of_six(), {2, 1, 3, 5, -1, 4});
  const Assignments set{{"hidden_width", "1"}, {"layers", "1"}, {"self_loops", "false"}, {"restart", "0.5"}};
  const auto logits_of = [&](const char* variant) {
    Assignments all = set;
    all["variant"] = variant;
    const auto model = test::one_feature_model("unigcnii", all, input);
    test::set_parameter(*model, "lift.weight", {1});
    test::set_parameter(*model, "lift.bias", {0});
    test::set_parameter(*model, "layer0.weight", {3});
    test::set_parameter(*model, "classifier.weight", {1, -2});
    test::set_parameter(*model, "classifier.bias", {0, 1});
    return test::logits(*model, input);
  };
  // x^0 = (2, 1, 3, 5, 0, 4), the hyperedges' means are 1.5, 2.5, 3.5, 2; then half of y and half of x^0,
  // times (1 - beta) + 3 beta with beta = ln 1.5.
  const double mix = 1 + 2 * std::log(1.5);
  const auto expected = [&](const std::vector<double>& y) {
    const at::Tensor start = torch::tensor({2.0, 1.0, 3.0, 5.0, 0.0, 4.0}, torch::kDouble);
    const at::Tensor x = mix * (torch::tensor(y, torch::kDouble) + start) / 2;
    return torch::stack({x, 1 - 2 * x}, 1);
  };

  EXPECT_LT(test::distance(logits_of("authors"), expected({9.5 / 4, 1.5, 2.5, 3.5, 2, 2})), 1e-12);

  // Mean degrees of members: 2.5 thrice, and (4 + 1 + 1) / 3 = 2.
  const double d = 1 / std::sqrt(2.5);
  const double d3 = 1 / std::sqrt(2.0);
  EXPECT_LT(test::distance(logits_of("paper"),
                           expected({(7.5 * d + 2 * d3) / 2, 1.5 * d, 2.5 * d, 3.5 * d, 2 * d3, 2 * d3})),
            1e-12);
}

}  // namespace
}  // namespace dshn::models
