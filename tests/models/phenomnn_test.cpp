#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/hypergraph/builder.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "models/dense_model.hpp"

namespace dshn::models {
namespace {

struct PhenomNnCase {
  Assignments set;
  double lambda0;
  double lambda1;
  double rate;
};

Assignments phenomnn_options(Assignments set) {
  set.insert({{"hidden_width", "3"}, {"steps", "3"}});
  return set;
}

/// S (M + I) S with the inverse roots of the row sums.
at::Tensor normalised_with_identity(const at::Tensor& matrix) {
  const at::Tensor bracket = matrix + torch::eye(matrix.size(0), torch::kDouble);
  const at::Tensor scale = bracket.sum(1).rsqrt();
  return scale.unsqueeze(1) * bracket * scale.unsqueeze(0);
}

at::Tensor dense_phenomnn(const Model& model, const Hypergraph& hypergraph, const at::Tensor& features,
                          const PhenomNnCase& options, Target target) {
  const test::DenseIncidence b(with_self_loops(hypergraph));
  const at::Tensor clique = normalised_with_identity(torch::mm(b.members, b.members.t()));
  const at::Tensor star = normalised_with_identity(torch::mm(b.members / b.sizes(), b.members.t()));
  const at::Tensor q = torch::diag(options.lambda0 * clique.sum(1) + options.lambda1 * star.sum(1) + 1);
  const at::Tensor start = torch::relu(test::dense_linear(features, model, "lift"));
  at::Tensor y = start;
  for (int k = 0; k < 3; ++k) {
    const at::Tensor sum =
        options.lambda0 * torch::mm(clique, y) + options.lambda1 * torch::mm(star, y) + start;
    y = (1 - options.rate) * y + options.rate * torch::mm(torch::inverse(q), sum);
  }
  return test::dense_linear(test::dense_target(torch::relu(y), hypergraph, target), model, "classifier");
}

class PhenomNnOptions : public testing::TestWithParam<PhenomNnCase> {};

TEST_P(PhenomNnOptions, AgreeWithDenseExpansions) {
  for (const Hypergraph& hypergraph : test::random_hypergraphs()) {
    const Input input = test::input_of(hypergraph);
    for (const Target target : {Target::nodes, Target::hyperedges}) {
      const auto model = test::new_model("phenomnn", phenomnn_options(GetParam().set), input, target);
      EXPECT_LT(test::distance(test::logits(*model, input),
                               dense_phenomnn(*model, hypergraph, input.x.dense(), GetParam(), target)),
                1e-11);
    }
  }
}

TEST_P(PhenomNnOptions, HaveTrueGradients) {
  const Input input = test::input_of(test::small_hypergraph());
  for (const Target target : {Target::nodes, Target::hyperedges}) {
    test::expect_true_gradients(*test::new_model("phenomnn", phenomnn_options(GetParam().set), input, target),
                                input);
  }
}

INSTANTIATE_TEST_SUITE_P(
    PhenomNn, PhenomNnOptions,
    testing::Values(PhenomNnCase{{}, 10, 10, 1},
                    PhenomNnCase{{{"lambda0", "0"}, {"lambda1", "20"}}, 0, 20, 1},
                    PhenomNnCase{{{"lambda0", "1"}, {"lambda1", "0"}, {"step_size", "0.3"}}, 1, 0, 0.3},
                    PhenomNnCase{{{"lambda0", "1"}, {"lambda1", "2"}, {"step_size", "0"}}, 1, 2, 0.25}));

TEST(PhenomNn, GivesTheHandComputedLogits) {
  HypergraphBuilder builder;
  for (int v = 0; v < 6; ++v) builder.incidence(Name::integer(v / 3), Name::integer(v));
  const Input input = test::one_feature(builder.build(), {3, 6, 9, 0, 0, 15});
  const auto model = test::one_feature_model(
      "phenomnn", {{"hidden_width", "1"}, {"steps", "1"}, {"lambda0", "1"}, {"lambda1", "1"}}, input);
  test::set_parameter(*model, "lift.weight", {1});
  test::set_parameter(*model, "lift.bias", {0});
  test::set_parameter(*model, "classifier.weight", {1, -2});
  test::set_parameter(*model, "classifier.bias", {0, 1});

  // Each triple {a, b, c} with its self-loops: A_clique = (J + 2 I) / 5, A_star = (J / 3 + 2 I) / 3, both
  // with rows that sum to 1, so Q = 3. For x = 3 and J x = 18: (3 + 24/5 + 4) / 3.
  const at::Tensor y =
      torch::tensor({11.8 / 3, 6.0, 24.2 / 3, 14.0 / 9, 14.0 / 9, 107.0 / 9}, torch::kDouble);

  EXPECT_LT(test::distance(test::logits(*model, input), torch::stack({y, 1 - 2 * y}, 1)), 1e-12);
}

TEST(PhenomNn, HasTwoLinearLayers) {
  EXPECT_EQ(test::default_parameters("phenomnn", 1433, 7), 1433 * 64 + 64 + 65 * 7);
}

}  // namespace
}  // namespace dshn::models
