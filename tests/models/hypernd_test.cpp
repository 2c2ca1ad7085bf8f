#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "dshn/base/error.hpp"
#include "models/convolution_cases.hpp"

namespace dshn::models {
namespace {

const Assignments kSmallHyperNd{{"classifier_width", "5"}};

/// The fixed point by dense products, without the shortcuts of the model.
struct DenseDiffusion {
  at::Tensor members;
  at::Tensor root;
  double p;
  bool means;

  at::Tensor to_edges(const at::Tensor& z) const {
    const at::Tensor size = members.sum(0).unsqueeze(1);
    const at::Tensor sum = torch::mm(members.t(), (z * root).pow(p));
    return (means ? sum / size / size : sum / size).pow(1 / p);
  }

  at::Tensor to_nodes(const at::Tensor& edges) const {
    const at::Tensor sum = torch::mm(members, edges);
    return (means ? test::or_zero(sum / members.sum(1, /*keepdim=*/true)) : sum) * root;
  }

  at::Tensor scaled(const at::Tensor& z) const { return z / (2 * to_edges(z).norm()); }
};

at::Tensor dense_diffused(const test::ConvolutionCase& given, double p) {
  const at::Tensor members = test::DenseIncidence(given.extended()).members;
  const DenseDiffusion d{members, test::or_zero(members.sum(1, /*keepdim=*/true).rsqrt()), p,
                         given.authors()};
  const at::Tensor u = d.scaled(given.input.x.dense());
  at::Tensor f = u;
  for (int step = 0; step < 100; ++step) {
    const at::Tensor next = d.scaled(0.5 * d.to_nodes(d.to_edges(f)) + 0.5 * u);
    const bool arrived = ((next - f).norm() / next.norm()).item<double>() < 1e-4;
    f = next;
    if (arrived) break;
  }
  return test::dense_target(f, given.hypergraph, given.target);
}

TEST(HyperNd, AgreesWithTheDenseDiffusion) {
  test::expect_agreement("hypernd", kSmallHyperNd,
                         [](const Model& model, const test::ConvolutionCase& given) {
                           return test::dense_classifier(dense_diffused(given, 1), model);
                         });
}

TEST(HyperNd, AgreesWithTheDenseDiffusionForOtherPowers) {
  for (const Hypergraph& hypergraph : test::random_hypergraphs()) {
    Input input = test::input_of(hypergraph);
    input.x = input.x.dense().abs();
    for (const char* variant : {"paper", "authors"}) {
      const Assignments set{{"p", "2.5"}, {"variant", variant}, {"self_loops", "true"}};
      const auto model = test::new_model("hypernd", set, input);
      EXPECT_LT(test::distance(model->prepare(input).derived.at("rows"),
                               dense_diffused({hypergraph, input, set, Target::nodes}, 2.5)),
                1e-12)
          << variant;
    }
  }
}

TEST(HyperNd, HasTrueGradients) {
  test::expect_true_gradients_of_variants("hypernd", kSmallHyperNd);
}

TEST(HyperNd, GivesTheHandComputedStep) {
  const Input input = test::one_feature(test::star_of_six(), {2, 1, 3, 5, 1, 4});
  const auto features = [&](const char* variant) {
    const auto model = test::one_feature_model(
        "hypernd", {{"steps", "1"}, {"self_loops", "false"}, {"variant", variant}}, input);
    return model->prepare(input).derived.at("rows").squeeze(1);
  };

  // Up to scale: node 0 counts half, the hyperedges get 1, 2, 3, 2 and give back (4, 1, 2, 3, 2, 2). With X
  // itself that is (6, 2, 5, 8, 3, 6), whose hyperedges get 2.5, 4, 5.5, 4: phi = 2 sqrt(68.5).
  const at::Tensor paper = torch::tensor({6, 2, 5, 8, 3, 6}, torch::kDouble) / (2 * std::sqrt(68.5));
  EXPECT_LT(test::distance(features("paper"), paper), 1e-12);

  // Divided by sizes once more, the hyperedges get 1/2, 1, 3/2, 2/3; their mean at node 0, halved, is 11/24.
  // With X: (59/24, 3/2, 4, 13/2, 5/3, 14/3).
  const std::vector<double> sum{59.0 / 24, 1.5, 4, 6.5, 5.0 / 3, 14.0 / 3};
  const double half = sum[0] / 2;
  const double phi = 2 * std::hypot(std::hypot((half + 1.5) / 4, (half + 4) / 4),
                                    std::hypot((half + 6.5) / 4, (half + 19.0 / 3) / 9));
  EXPECT_LT(test::distance(features("authors"), torch::tensor(sum, torch::kDouble) / phi), 1e-12);
}

TEST(HyperNd, RefusesPowersOfNegativeFeatures) {
  const Input input = test::input_of(test::small_hypergraph());
  const auto model = test::new_model("hypernd", {{"p", "2"}}, input);

  EXPECT_THROW(model->prepare(input), UsageError);
}

TEST(HyperNd, RefusesFeaturesThatAreAllZero) {
  Input input = test::input_of(test::small_hypergraph());
  const auto model = test::new_model("hypernd", {}, input);
  input.x = torch::zeros_like(input.x.dense());

  EXPECT_THROW(model->prepare(input), InvalidInput);
}

}  // namespace
}  // namespace dshn::models
