#include <gtest/gtest.h>
#include <torch/torch.h>

#include "models/convolution_cases.hpp"

namespace dshn::models {
namespace {

const Assignments kSmallHgnn{{"hidden_width", "3"}, {"layers", "3"}};

/// With the n x n matrix D^-1/2 H W Delta^-1 H^T D^-1/2, or D^-1 H W Delta^-1 H^T.
at::Tensor dense_hgnn(const Model& model, const test::ConvolutionCase& given) {
  const test::DenseIncidence b(given.extended());
  const at::Tensor smoothed = torch::mm(b.members * (b.weights / b.sizes()), b.members.t());
  const at::Tensor degree = test::or_zero(torch::mv(b.members, b.weights).reciprocal());
  const at::Tensor p = given.authors() ? degree.unsqueeze(1) * smoothed
                                       : degree.sqrt().unsqueeze(1) * smoothed * degree.sqrt().unsqueeze(0);
  at::Tensor x = given.input.x.dense();
  for (int t = 0;; ++t) {
    const std::string layer = std::to_string(t);
    const at::Tensor bias = test::parameter(model, "bias" + layer);
    x = torch::mm(p, torch::mm(x, test::parameter(model, "weight" + layer).t()));
    if (t == 2) return test::dense_target(x, given.hypergraph, given.target) + bias;
    x = torch::elu(x + bias);
  }
}

TEST(Hgnn, AgreesWithTheDenseMatrix) {
  test::expect_agreement("hgnn", kSmallHgnn, dense_hgnn);
}

TEST(Hgnn, HasTrueGradients) {
  test::expect_true_gradients_of_variants("hgnn", kSmallHgnn);
}

TEST(Hgnn, GivesTheHandComputedRows) {
  const Input input = test::one_feature(test::star_of_six(), {2, 1, 3, 5, 1, 4});
  const Assignments set{{"hidden_width", "1"}, {"layers", "2"}, {"self_loops", "false"}};
  const auto logits_of = [&](const char* variant) {
    Assignments all = set;
    all["variant"] = variant;
    const auto model = test::one_feature_model("hgnn", all, input);
    test::set_parameter(*model, "weight0", {1});
    test::set_parameter(*model, "bias0", {1});
    test::set_parameter(*model, "weight1", {1, -2});
    test::set_parameter(*model, "bias1", {0, 10});
    return test::logits(*model, input);
  };

  // Node 0 has four hyperedges and counts half before and behind: (1, 1, 3, 5, 1, 4). The hyperedges' means
  // are 1, 2, 3, 2; the first layer gives (4, 1, 2, 3, 2, 2) + 1. Again: (2.5, 2, 3, 4, 3, 3),
  // means 2.25, 2.75, 3.25, 8.5/3.
  const double last = 8.5 / 3;
  const at::Tensor paper =
      torch::tensor({(8.25 + last) / 2, 2.25, 2.75, 3.25, last, last}, torch::kDouble).unsqueeze(1);
  EXPECT_LT(test::distance(logits_of("paper"), torch::cat({paper, 10 - 2 * paper}, 1)), 1e-12);

  // Means 1.5, 2.5, 3.5, 7/3; plus 1: (59/24 + 1, 2.5, 3.5, 4.5, 10/3, 10/3). Node 0 is 83/24 now.
  const double centre = 83.0 / 24;
  const std::vector<double> means{(centre + 2.5) / 2, (centre + 3.5) / 2, (centre + 4.5) / 2,
                                  (centre + 20.0 / 3) / 3};
  const at::Tensor authors = torch::tensor({(means[0] + means[1] + means[2] + means[3]) / 4, means[0],
                                            means[1], means[2], means[3], means[3]},
                                           torch::kDouble)
                                 .unsqueeze(1);
  EXPECT_LT(test::distance(logits_of("authors"), torch::cat({authors, 10 - 2 * authors}, 1)), 1e-12);
}

}  // namespace
}  // namespace dshn::models
