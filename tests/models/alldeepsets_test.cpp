#include <gtest/gtest.h>
#include <torch/torch.h>

#include "models/convolution_cases.hpp"

namespace dshn::models {
namespace {

Assignments small_alldeepsets(const char* mlp_layers) {
  return {{"hidden_width", "3"}, {"classifier_width", "5"}, {"layers", "2"}, {"mlp_layers", mlp_layers}};
}

at::Tensor dense_alldeepsets(const Model& model, const test::ConvolutionCase& given) {
  const at::Tensor members = test::DenseIncidence(given.extended()).members;
  const int depth = std::stoi(given.set.at("mlp_layers"));
  const auto half = [&](const at::Tensor& sums, const at::Tensor& x, const std::string& name) {
    const at::Tensor encoded =
        torch::relu(test::dense_mlp(x, model, name + ".encoder", depth, /*input_norm=*/true));
    return torch::relu(test::dense_mlp(torch::mm(sums, encoded), model, name + ".decoder", depth, true));
  };
  at::Tensor x = given.input.x.dense();
  for (const char* layer : {"0", "1"}) {
    x = half(members, half(members.t(), x, std::string("to_edges") + layer), std::string("to_nodes") + layer);
  }
  return test::dense_classifier(test::dense_target(x, given.hypergraph, given.target), model);
}

TEST(AllDeepSets, AgreesWithDenseSums) {
  test::expect_agreement("alldeepsets", small_alldeepsets("1"), dense_alldeepsets);
  test::expect_agreement("alldeepsets", small_alldeepsets("2"), dense_alldeepsets);
}

TEST(AllDeepSets, HasTrueGradients) {
  test::expect_true_gradients_of_variants("alldeepsets", small_alldeepsets("1"));
  test::expect_true_gradients_of_variants("alldeepsets", small_alldeepsets("2"));
}

/// Layer normalisation of two numbers leaves the sign of their difference (but for its epsilon), so with unit
/// matrices a set function is a vote: members say (1, 0) or (0, 1), and the majority's word, or 0 at a tie,
/// is the set's.
TEST(AllDeepSets, GivesTheHandComputedVotes) {
  // {0, 1} and {0, 2} of the star tie; {0, 3} has two for the first, {0, 4, 5} two of three for the second.
  const at::Tensor x = torch::tensor({{5, 3}, {0, 2}, {1, 3}, {4, 2}, {0, 2}, {-3, -1}}, torch::kDouble);
  const Input input(test::star_of_six(), x, {});
  const ModelEntry& entry = find_model("alldeepsets");
  const auto model = entry.create(
      Options(entry.options,
              {{"hidden_width", "2"}, {"layers", "1"}, {"mlp_layers", "1"}, {"self_loops", "false"}}),
      {6, 4, 2, 0, 2});
  model->to(at::kDouble);
  for (const auto& item : model->named_parameters()) {
    if (item.key().rfind("linear0.weight") != std::string::npos)
      test::set_parameter(*model, item.key(), {1, 0, 0, 1});
    if (item.key().rfind("linear0.bias") != std::string::npos)
      test::set_parameter(*model, item.key(), {0, 0});
  }

  // Hyperedges: 0, 0, (1, 0), (0, 1). Node 0 sees one of each and ties; 3 hears the first, 4 and 5 the
  // second.
  const at::Tensor rows = torch::tensor({{0, 0}, {0, 0}, {0, 0}, {1, 0}, {0, 1}, {0, 1}}, torch::kDouble);
  EXPECT_LT(test::distance(test::logits(*model, input), test::dense_classifier(rows, *model)), 1e-3);
}

}  // namespace
}  // namespace dshn::models
