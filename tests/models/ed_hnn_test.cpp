#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/hypergraph/transforms.hpp"
#include "models/dense_model.hpp"

namespace dshn::models {
namespace {

const Assignments kSmallEdHnn{{"hidden_width", "3"}, {"classifier_width", "5"}, {"layers", "2"}};

Assignments ed_hnn_options(Assignments set) {
  set.insert(kSmallEdHnn.begin(), kSmallEdHnn.end());
  return set;
}

int ed_hnn_depth(const Assignments& set, const std::string& name) {
  const auto own = set.find(name);
  const auto all = set.find("mlp_layers");
  if (own != set.end()) return std::stoi(own->second);
  return all != set.end() ? std::stoi(all->second) : 2;
}

/// phi2 on all n x m pairs.
at::Tensor dense_phi2(const at::Tensor& pairs, const Model& model, int layers, bool input_norm) {
  const at::Tensor x = input_norm ? test::dense_norm(pairs, model, "phi2.first.input_norm") : pairs;
  const at::Tensor first = test::dense_linear(x, model, "phi2.first.linear");
  if (layers == 1) return first;
  return test::dense_linear(test::dense_norm(torch::relu(first), model, "phi2.norm"), model, "phi2.last");
}

at::Tensor dense_ed_hnn(const Model& model, const Hypergraph& hypergraph, const at::Tensor& features,
                        const Assignments& set, Target target) {
  const test::DenseIncidence b(with_self_loops(hypergraph));
  const bool sum = set.count("aggregation") > 0;
  const bool norm = set.count("input_norm") > 0;
  const int second = ed_hnn_depth(set, "mlp2_layers");
  const at::Tensor to_edges = sum ? b.members.t() : b.members.t() / b.sizes().unsqueeze(1);
  const at::Tensor to_nodes = sum ? b.members : b.members / b.degrees().unsqueeze(1);
  const at::Tensor start = torch::relu(test::dense_linear(features, model, "lift"));
  at::Tensor x = start;
  for (int t = 0; t < 2; ++t) {
    const at::Tensor edges =
        torch::mm(to_edges, test::dense_mlp(x, model, "phi1", ed_hnn_depth(set, "mlp_layers"), norm));
    at::Tensor y = torch::mm(to_nodes, edges);
    if (second > 0) {
      const std::int64_t n = x.size(0);
      const std::int64_t m = edges.size(0);
      const at::Tensor pairs =
          torch::cat({x.unsqueeze(1).expand({n, m, -1}), edges.unsqueeze(0).expand({n, m, -1})}, 2);
      y = (to_nodes.unsqueeze(2) * dense_phi2(pairs, model, second, norm)).sum(1);
    }
    x = torch::relu(
        test::dense_mlp(0.5 * y + 0.5 * start, model, "phi3", ed_hnn_depth(set, "mlp3_layers"), norm));
  }
  return test::dense_classifier(test::dense_target(x, hypergraph, target), model);
}

class EdHnnOptions : public testing::TestWithParam<Assignments> {};

TEST_P(EdHnnOptions, AgreeWithAllPairs) {
  for (const Hypergraph& hypergraph : test::random_hypergraphs()) {
    const Input input = test::input_of(hypergraph);
    for (const Target target : {Target::nodes, Target::hyperedges}) {
      const auto model = test::new_model("ed-hnn", ed_hnn_options(GetParam()), input, target);
      EXPECT_LT(test::distance(test::logits(*model, input),
                               dense_ed_hnn(*model, hypergraph, input.x.dense(), GetParam(), target)),
                1e-9);
    }
  }
}

TEST_P(EdHnnOptions, HaveTrueGradients) {
  const Input input = test::input_of(test::small_hypergraph());
  for (const Target target : {Target::nodes, Target::hyperedges}) {
    test::expect_true_gradients(*test::new_model("ed-hnn", ed_hnn_options(GetParam()), input, target), input);
  }
}

INSTANTIATE_TEST_SUITE_P(EdHnn, EdHnnOptions,
                         testing::Values(Assignments{}, Assignments{{"input_norm", "true"}},
                                         Assignments{{"aggregation", "sum"}, {"mlp_layers", "1"}},
                                         Assignments{{"mlp_layers", "1"}, {"input_norm", "true"}},
                                         Assignments{{"mlp_layers", "0"}, {"mlp3_layers", "1"}},
                                         Assignments{{"mlp2_layers", "0"}, {"aggregation", "sum"}}));

TEST(EdHnn, GivesTheHandComputedRows) {
  const Input input = test::one_feature(test::six_nodes(), {6, 12, 3, 9, -4, 2});
  const auto model = test::one_feature_model(
      "ed-hnn", {{"hidden_width", "1"}, {"layers", "1"}, {"mlp_layers", "0"}, {"mlp2_layers", "1"}}, input);
  test::set_parameter(*model, "lift.weight", {1});
  test::set_parameter(*model, "lift.bias", {0});
  test::set_parameter(*model, "phi2.first.linear.weight", {2, -1});
  test::set_parameter(*model, "phi2.first.linear.bias", {1});

  // x^0 = relu(x); the hyperedges' means are 7, 6, 4.5 and, of the self-loops, x^0. A node's mean over them:
  // 6.5, 9.5, 16/3, 6.5, 2.25, 2. Then relu((2 x^0 - mean + 1) / 2 + x^0 / 2).
  const at::Tensor rows = torch::tensor({6.25, 13.75, 7.0 / 3, 10.75, 0.0, 2.5}, torch::kDouble).unsqueeze(1);

  EXPECT_LT(test::distance(test::logits(*model, input), test::dense_classifier(rows, *model)), 1e-12);
}

TEST(EdHnn, DefaultHasThePaperTablesParameterCount) {
  EXPECT_EQ(test::default_parameters("ed-hnn", 1433, 7), 125959);  // Cora
  EXPECT_EQ(test::default_parameters("ed-hnn", 3703, 6), 271174);  // Citeseer
  EXPECT_EQ(test::default_parameters("ed-hnn", 11, 3), 64 * 11 + 33792 + 65 * 3);
}

}  // namespace
}  // namespace dshn::models
