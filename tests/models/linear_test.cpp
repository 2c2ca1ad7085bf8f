#include <gtest/gtest.h>
#include <torch/torch.h>

#include "models/dense_model.hpp"

namespace dshn::models {
namespace {

TEST(LinearModel, GivesTheHandComputedRows) {
  // {0, 1} -> {2}, {2, 3}, {4} -> {3}
  Input input = test::one_feature(test::six_nodes(), {1, 2, 3, 5, 7, 11});
  const auto with_weights = [&](Target target, std::int64_t edge_features) {
    const ModelEntry& entry = find_model("linear");
    const auto model = entry.create(Options(entry.options, {}), {6, 3, 1, edge_features, 2, target});
    model->to(torch::kDouble);
    test::set_parameter(*model, "of_nodes.weight", {1, -2});
    test::set_parameter(*model, "of_nodes.bias", {0, 10});
    return model;
  };
  const auto columns = [](const std::vector<double>& first) {
    const at::Tensor x = torch::tensor(first, torch::kDouble).unsqueeze(1);
    return torch::cat({x, 10 - 2 * x}, 1);
  };

  const auto of_nodes = with_weights(Target::nodes, 0);
  EXPECT_LT(test::distance(test::logits(*of_nodes, input), columns({1, 2, 3, 5, 7, 11})), 1e-12);

  const auto of_edges = with_weights(Target::hyperedges, 0);
  EXPECT_LT(test::distance(test::logits(*of_edges, input), columns({2, 4, 6})), 1e-12);

  input.edge_x = torch::tensor({1.0, 2.0, 4.0}, torch::kDouble).unsqueeze(1);
  const auto of_both = with_weights(Target::hyperedges, 1);
  test::set_parameter(*of_both, "of_edges.weight", {100, 0});
  const at::Tensor own = torch::tensor({100.0, 0.0, 200.0, 0.0, 400.0, 0.0}, torch::kDouble).view({3, 2});
  EXPECT_LT(test::distance(test::logits(*of_both, input), columns({2, 4, 6}) + own), 1e-12);
}

TEST(LinearModel, DoesNotSeeTheHypergraph) {
  const Input one = test::input_of(test::small_hypergraph());
  Input other = test::input_of(Hypergraph(7, 0, {}));
  other.x = one.x;
  const auto model = test::new_model("linear", {}, one);

  EXPECT_EQ(test::distance(test::logits(*model, one), test::logits(*model, other)), 0);
}

TEST(LinearModel, HasTrueGradients) {
  const Input input = test::input_of(test::small_hypergraph(), /*with_edge_features=*/true);
  for (const Target target : {Target::nodes, Target::hyperedges})
    test::expect_true_gradients(*test::new_model("linear", {}, input, target), input);
}

}  // namespace
}  // namespace dshn::models
