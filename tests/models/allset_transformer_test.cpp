#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>

#include "dshn/base/error.hpp"
#include "models/convolution_cases.hpp"

namespace dshn::models {
namespace {

Assignments small_transformer(const char* heads, const char* mlp_layers) {
  return {{"hidden_width", "4"},
          {"classifier_width", "5"},
          {"layers", "2"},
          {"heads", heads},
          {"mlp_layers", mlp_layers}};
}

/// Attention of all sets over all members, with those outside a set masked; sets: [sets, members], how often a
/// member counts.
at::Tensor dense_pool(const at::Tensor& sets, const at::Tensor& x, const Model& model,
                      const std::string& name, const Assignments& options) {
  const std::int64_t heads = std::stoi(options.at("heads"));
  const at::Tensor seed = test::parameter(model, name + ".seed").view({heads, -1});
  const at::Tensor keys = test::dense_linear(x, model, name + ".key").view({x.size(0), heads, -1});
  const at::Tensor values = test::dense_linear(x, model, name + ".value").view({x.size(0), heads, -1});
  std::vector<at::Tensor> parts;
  for (std::int64_t h = 0; h < heads; ++h) {
    const at::Tensor score = torch::leaky_relu(torch::mv(keys.select(1, h), seed[h]), 0.2);
    const at::Tensor shares = sets * score.exp().unsqueeze(0);
    parts.push_back(torch::mm(test::or_zero(shares / shares.sum(1, true)), values.select(1, h)) + seed[h]);
  }
  const at::Tensor o = test::dense_norm(torch::cat(parts, 1), model, name + ".norm0");
  at::Tensor y = o;
  const int depth = std::stoi(options.at("mlp_layers"));
  for (int i = 0; i < depth; ++i) {
    y = torch::relu(test::dense_linear(y, model, name + ".feed_forward.linear" + std::to_string(i)));
  }
  return torch::relu(test::dense_norm(o + y, model, name + ".norm1"));
}

at::Tensor dense_transformer(const Model& model, const test::ConvolutionCase& given) {
  const at::Tensor members = test::DenseIncidence(given.extended()).members;
  at::Tensor x = given.input.x.dense();
  for (const char* layer : {"0", "1"}) {
    const at::Tensor edges = dense_pool(members.t(), x, model, std::string("to_edges") + layer, given.set);
    x = dense_pool(members, edges, model, std::string("to_nodes") + layer, given.set);
  }
  return test::dense_classifier(test::dense_target(x, given.hypergraph, given.target), model);
}

TEST(AllSetTransformer, AgreesWithMaskedAttention) {
  test::expect_agreement("allset-transformer", small_transformer("1", "1"), dense_transformer);
  test::expect_agreement("allset-transformer", small_transformer("2", "2"), dense_transformer);
}

TEST(AllSetTransformer, HasTrueGradients) {
  Assignments set = small_transformer("2", "2");
  set["layers"] = "1";
  test::expect_true_gradients_of_variants("allset-transformer", set);
}

/// Layer normalisation of two numbers leaves the sign of their difference (but for its epsilon), so a set's
/// row says which side outweighs the other when the members' votes are weighted by attention.
TEST(AllSetTransformer, GivesTheHandComputedVotes) {
  // Column 0 is what attention looks at: ln 3 makes a member count three times. Column 1 is the vote.
  const double heavy = std::log(3.0);
  const at::Tensor x = torch::tensor(
      {{0.0, 1.0}, {0.0, 1.0}, {heavy, -1.0}, {heavy, 1.0}, {0.0, 1.0}, {heavy, -1.0}}, torch::kDouble);
  const Input input(test::star_of_six(), x, {});
  const ModelEntry& entry = find_model("allset-transformer");
  const auto model = entry.create(
      Options(entry.options,
              {{"hidden_width", "2"}, {"layers", "1"}, {"mlp_layers", "1"}, {"self_loops", "false"}}),
      {6, 4, 2, 0, 2});
  model->to(at::kDouble);
  for (const std::string name : {"to_edges0", "to_nodes0"}) {
    test::set_parameter(*model, name + ".seed", {1, 0});
    test::set_parameter(*model, name + ".key.bias", {0, 0});
    test::set_parameter(*model, name + ".feed_forward.linear0.weight", {0, 0, 0, 0});
    test::set_parameter(*model, name + ".feed_forward.linear0.bias", {0, 0});
  }
  test::set_parameter(*model, "to_edges0.key.weight", {1, 0, 0, 1});
  test::set_parameter(*model, "to_edges0.value.weight", {0, 1, 0, 0});
  test::set_parameter(*model, "to_edges0.value.bias", {-1, 0});  // what the seed adds again
  test::set_parameter(*model, "to_nodes0.key.weight", {0, 0, 0, 0});
  test::set_parameter(*model, "to_nodes0.value.weight", {1, -1, 0, 0});
  test::set_parameter(*model, "to_nodes0.value.bias", {-1.25, 0});

  // Votes of the hyperedges: {0, 1}: 1. {0, 2}: (1 - 3) / 4. {0, 3}: 1. {0, 4, 5}: (1 + 1 - 3) / 5, against a
  // plain mean of 1/3. So their rows are (1, 0), (0, 1), (1, 0), (0, 1) after ReLU. Nodes take the plain mean
  // of 1, -1, 1, -1 less 1/4: negative at node 0, where the votes themselves tie.
  const at::Tensor rows = torch::tensor({{0, 1}, {1, 0}, {0, 1}, {1, 0}, {0, 1}, {0, 1}}, torch::kDouble);
  EXPECT_LT(test::distance(test::logits(*model, input), test::dense_classifier(rows, *model)), 5e-3);
}

TEST(AllSetTransformer, RefusesHeadsThatDoNotShareTheWidth) {
  const Input input = test::input_of(test::small_hypergraph());

  EXPECT_THROW(test::new_model("allset-transformer", {{"hidden_width", "6"}, {"heads", "4"}}, input),
               UsageError);
}

}  // namespace
}  // namespace dshn::models
