#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "models/dense_model.hpp"

namespace dshn::models {
namespace {

const Assignments kSmallGedi{{"hidden_width", "3"}, {"classifier_width", "5"}, {"layers", "3"}};

Assignments gedi_options(Assignments set) {
  set.insert(kSmallGedi.begin(), kSmallGedi.end());
  return set;
}

/// The operator's matrix [n, n], complex, from H with i on tails and 1 on heads.
at::Tensor dense_gedi_operator(const Hypergraph& hypergraph, bool authors) {
  const test::DenseIncidence b(hypergraph);
  const at::Tensor h = torch::complex(b.heads, b.tails);
  const at::Tensor over_size = torch::complex(b.weights / b.sizes(), torch::zeros_like(b.weights));
  const at::Tensor a = torch::mm(h * over_size, h.t().conj());
  const at::Tensor degree = torch::mv(b.members, b.weights);
  const auto on_both_sides = [&](const at::Tensor& matrix, const at::Tensor& scale) {
    return matrix * (scale.unsqueeze(1) * scale.unsqueeze(0));
  };
  const auto inverse = [](const at::Tensor& x, double p) {
    return torch::where(x > 0, x.pow(p), torch::zeros_like(x));
  };
  if (!authors) return on_both_sides(a, inverse(degree, -0.5));
  const at::Tensor diagonal = torch::diag(torch::diag(a));
  return on_both_sides(a - diagonal + diagonal * inverse(degree, -1), (degree + 1).rsqrt()).t();
}

at::Tensor dense_gedi(const Model& model, const Hypergraph& hypergraph, const at::Tensor& features,
                      bool authors, bool twice, Target target) {
  const at::Tensor m = dense_gedi_operator(hypergraph, authors);
  at::Tensor x = torch::complex(features, twice ? features : torch::zeros_like(features));
  for (int t = 0; t < 3; ++t) {
    const auto weight = [&](const char* name) {
      const at::Tensor w = test::parameter(model, "conv" + std::to_string(t) + "." + name);
      return torch::complex(w, std::string(name) == "bias" ? w : torch::zeros_like(w));
    };
    const at::Tensor y =
        torch::mm(x, weight("w0")) + torch::mm(m, torch::mm(x, weight("w1"))) + weight("bias");
    const at::Tensor kept = y * (authors ? torch::real(y) >= 0 : torch::real(y) > 0);
    x = t == 0 ? kept : kept + x;
  }
  const at::Tensor rows = torch::cat({torch::real(x), torch::imag(x)}, 1);
  return test::dense_classifier(test::dense_target(rows, hypergraph, target), model);
}

class GediOptions : public testing::TestWithParam<Assignments> {};

TEST_P(GediOptions, AgreeWithTheComplexMatrix) {
  const bool authors = GetParam().count("variant") > 0;
  const bool twice = GetParam().count("imaginary_input") > 0;
  for (const Hypergraph& hypergraph : test::random_hypergraphs()) {
    const Input input = test::input_of(hypergraph);
    for (const Target target : {Target::nodes, Target::hyperedges}) {
      const auto model = test::new_model("gedi-hnn", gedi_options(GetParam()), input, target);
      for (int t = 0; t < 3; ++t)
        test::set_parameter(*model, "conv" + std::to_string(t) + ".bias", {0.1, -0.2, 0.3});
      EXPECT_LT(test::distance(test::logits(*model, input),
                               dense_gedi(*model, hypergraph, input.x.dense(), authors, twice, target)),
                1e-10);
    }
  }
}

TEST_P(GediOptions, HaveTrueGradients) {
  const Input input = test::input_of(test::small_hypergraph());
  for (const Target target : {Target::nodes, Target::hyperedges}) {
    test::expect_true_gradients(*test::new_model("gedi-hnn", gedi_options(GetParam()), input, target), input);
  }
}

INSTANTIATE_TEST_SUITE_P(GediHnn, GediOptions,
                         testing::Values(Assignments{}, Assignments{{"imaginary_input", "features"}},
                                         Assignments{{"variant", "authors"}}));

TEST(GediHnn, GivesTheHandComputedRows) {
  const double root = std::sqrt(2.0);
  const Input input = test::one_feature(test::six_nodes(), {6, 12, 3 * root, 9 * root, -4, 2});
  const auto model = test::one_feature_model("gedi-hnn", {{"hidden_width", "1"}, {"layers", "1"}}, input);
  test::set_parameter(*model, "conv0.w0", {1});
  test::set_parameter(*model, "conv0.w1", {1});

  // D^(-1/2) x = 6, 12, 3, 9, -4, 0. Hyperedges: (3 - 18 i) / 3, -12 i / 2, (9 + 4 i) / 2. Nodes, before the
  // second D^(-1/2): i (1 - 6 i) twice, 1 - 6 i + 6, 6 + 4.5 + 2 i, i (4.5 + 2 i), 0. Added to x; node 4
  // comes to -6 + 4.5 i and is dropped.
  const at::Tensor rows = torch::tensor(
      {{12.0, 1.0}, {18.0, 1.0}, {13 / root, -6 / root}, {28.5 / root, 2 / root}, {0.0, 0.0}, {2.0, 0.0}},
      torch::kDouble);

  EXPECT_LT(test::distance(test::logits(*model, input), test::dense_classifier(rows, *model)), 1e-12);
}

TEST(GediHnn, HasTwoWeightsAndABiasPerLayer) {
  EXPECT_EQ(test::default_parameters("gedi-hnn", 1433, 7),
            2 * 1433 * 64 + 64 + 2 * 64 * 64 + 64 + 128 * 64 + 64 + 128 + 65 * 7);
}

}  // namespace
}  // namespace dshn::models
