#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "models/dense_model.hpp"

namespace dshn::models {
namespace {

Assignments dhgnn_options(Assignments set) {
  set.insert({{"hidden_width", "2"}, {"classifier_width", "5"}, {"layers", "2"}});
  return set;
}

/// Rows of the transition matrix: a uniform hyperedge in proportion to its weight, then a uniform head.
at::Tensor dense_walk(const Hypergraph& hypergraph) {
  const test::DenseIncidence b(hypergraph);
  at::Tensor tails = b.tails.clone();
  at::Tensor heads = b.heads.clone();
  for (Index e = 0; e < hypergraph.edge_count(); ++e) {
    if (hypergraph.is_directed(e)) continue;
    tails.select(1, e).copy_(b.members.select(1, e));
    heads.select(1, e).copy_(b.members.select(1, e));
  }
  const at::Tensor chosen = tails * b.weights;
  return torch::mm(chosen / chosen.sum(1, true), (heads / heads.sum(0)).t());
}

at::Tensor dense_dhgnn(const Model& model, const Hypergraph& hypergraph, const at::Tensor& start,
                       bool authors, Target target) {
  const at::Tensor p = dense_walk(with_self_loops(hypergraph));
  const std::int64_t n = p.size(0);
  const at::Tensor identity = torch::eye(n, torch::kDouble);
  const at::Tensor uniform = torch::full({n}, 1.0 / static_cast<double>(n), torch::kDouble);
  const at::Tensor pi = authors ? uniform : torch::mv(torch::inverse(identity - 0.9 * p.t()), 0.1 * uniform);
  const at::Tensor half = pi.sqrt().unsqueeze(1) * p / pi.sqrt().unsqueeze(0);
  const at::Tensor g = (half + half.t()) / 2;
  const at::Tensor scale = g.sum(0).rsqrt();
  const at::Tensor a = scale.unsqueeze(1) * g * scale.unsqueeze(0);
  std::vector<at::Tensor> parts{start};
  at::Tensor x = start;
  for (int t = 0; t < 2; ++t) {
    x = test::dense_linear(torch::mm(a, x), model, "linear" + std::to_string(t));
    parts.push_back(x / x.norm(2, 1, true));
  }
  return test::dense_classifier(test::dense_target(torch::cat(parts, 1), hypergraph, target), model);
}

class DhgnnVariant : public testing::TestWithParam<std::string> {};

TEST_P(DhgnnVariant, AgreesWithTheDenseMatrix) {
  for (const Hypergraph& hypergraph : test::random_hypergraphs()) {
    const Input input = test::input_of(hypergraph);
    for (const Target target : {Target::nodes, Target::hyperedges}) {
      const Assignments set = dhgnn_options({{"variant", GetParam()}});
      const bool authors = GetParam() == "authors";
      const auto plain = test::new_model("dhgnn", set, input, target);
      const auto embedded = test::new_model("dhgnn-emb", set, input, target);
      EXPECT_LT(test::distance(test::logits(*plain, input),
                               dense_dhgnn(*plain, hypergraph, input.x.dense(), authors, target)),
                1e-10);
      EXPECT_LT(test::distance(
                    test::logits(*embedded, input),
                    dense_dhgnn(*embedded, hypergraph, test::parameter(*embedded, "table"), authors, target)),
                1e-10);
    }
  }
}

TEST_P(DhgnnVariant, HasTrueGradients) {
  const Input input = test::input_of(test::small_hypergraph());
  // A great probability of jumps keeps the power iterations of every difference short.
  const Assignments set =
      dhgnn_options({{"variant", GetParam()}, {"classifier_width", "6"}, {"teleport", "0.6"}});
  for (const Target target : {Target::nodes, Target::hyperedges}) {
    test::expect_true_gradients(*test::new_model("dhgnn", set, input, target), input);
    test::expect_true_gradients(*test::new_model("dhgnn-emb", set, input, target), input);
  }
}

INSTANTIATE_TEST_SUITE_P(Dhgnn, DhgnnVariant, testing::Values("paper", "authors"));

TEST(Dhgnn, GivesTheHandComputedRows) {
  // With self-loops a node stays with probability 1/2 or more; G = (P + P^T) / 2 has row sums 3/4, 3/4, 3/2,
  // 5/4, 3/4, 1. The features are chosen so that D^(-1/2) x = u.
  const at::Tensor sums = torch::tensor({0.75, 0.75, 1.5, 1.25, 0.75, 1.0}, torch::kDouble).sqrt();
  const at::Tensor u = torch::tensor({6.0, 12.0, 3.0, 9.0, -4.0, 2.0}, torch::kDouble);
  const at::Tensor x = u * sums;
  const at::Tensor gu = torch::tensor({3.75, 6.75, 9.0, 6.5, 0.25, 2.0}, torch::kDouble);
  const Input input = test::one_feature(
      test::six_nodes(), std::vector<double>(x.data_ptr<double>(), x.data_ptr<double>() + x.numel()));
  const auto model = test::one_feature_model(
      "dhgnn", {{"hidden_width", "2"}, {"layers", "1"}, {"variant", "authors"}}, input);
  test::set_parameter(*model, "linear0.weight", {1, 0});
  test::set_parameter(*model, "linear0.bias", {0, 1});

  const at::Tensor a = gu / sums;
  const at::Tensor length = (a * a + 1).sqrt();
  const at::Tensor rows = torch::stack({x, a / length, 1 / length}, 1);

  EXPECT_LT(test::distance(test::logits(*model, input), test::dense_classifier(rows, *model)), 1e-12);
}

TEST(DhgnnEmb, DefaultHasThePaperTablesParameterCount) {
  EXPECT_EQ(test::default_parameters("dhgnn-emb", 1433, 7, 2708), 4077051);   // Cora
  EXPECT_EQ(test::default_parameters("dhgnn-emb", 3703, 6, 3312), 12751318);  // Citeseer
  EXPECT_EQ(test::default_parameters("dhgnn", 11, 3), 128 * 11 + 12608 + 65 * 3);
}

TEST(DhgnnEmb, RefusesAnotherHypergraph) {
  const Input input = test::input_of(test::small_hypergraph());
  const auto model = test::new_model("dhgnn-emb", dhgnn_options({}), input);
  const Input other = test::input_of(test::six_nodes());

  try {
    test::logits(*model, other);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("belong to the 7 nodes"));
  }
}

}  // namespace
}  // namespace dshn::models
