#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "models/convolution_cases.hpp"

namespace dshn::models {
namespace {

const Assignments kSmallLegcn{{"hidden_width", "3"}, {"layers", "3"}};

/// The line expansion: which incidences share a node or a hyperedge, each with itself too. An incidence that counts
/// twice is two of its nodes.
struct LineExpansion {
  at::Tensor adjacency;  // [nnz, nnz], how many nodes of the column's incidence those of the row's see
  at::Tensor of_node;    // [n, nnz], how many nodes of the incidence are the node's
  at::Tensor spread;     // [nnz, n], 1 where the incidence is the node's

  explicit LineExpansion(const at::Tensor& members) {
    const at::Tensor pairs = members.nonzero();  // (v, e)
    const at::Tensor v = pairs.select(1, 0);
    const at::Tensor e = pairs.select(1, 1);
    const at::Tensor times = members.index({v, e});
    adjacency =
        ((v.unsqueeze(0) == v.unsqueeze(1)) | (e.unsqueeze(0) == e.unsqueeze(1))).to(torch::kDouble) * times;
    spread = (v.unsqueeze(1) == torch::arange(members.size(0)).unsqueeze(0)).to(torch::kDouble);
    of_node = spread.t() * times;
  }
};

/// With the nnz x nnz matrix D^-1/2 A D^-1/2 of the line expansion.
at::Tensor dense_legcn(const Model& model, const test::ConvolutionCase& given) {
  const LineExpansion line(test::DenseIncidence(given.extended()).members);
  const at::Tensor root = line.adjacency.sum(1).rsqrt();
  const at::Tensor p = root.unsqueeze(1) * line.adjacency * root.unsqueeze(0);
  at::Tensor x = given.authors() ? given.input.x.dense() : torch::mm(line.spread, given.input.x.dense());
  for (int t = 0; t < 2; ++t) {
    const std::string layer = std::to_string(t);
    x = torch::mm(x, test::parameter(model, "weight" + layer).t());
    x = torch::relu((given.authors() ? x : torch::mm(p, x)) + test::parameter(model, "bias" + layer));
  }
  if (!given.authors()) {
    x = test::or_zero(torch::mm(line.of_node, torch::mm(p, x)) / line.of_node.sum(1, /*keepdim=*/true));
  }
  return torch::linear(test::dense_target(x, given.hypergraph, given.target),
                       test::parameter(model, "weight2"), test::parameter(model, "bias2"));
}

TEST(Legcn, AgreesWithTheLineExpansion) {
  test::expect_agreement("legcn", kSmallLegcn, dense_legcn);
}

TEST(Legcn, HasTrueGradients) {
  test::expect_true_gradients_of_variants("legcn", kSmallLegcn);
}

/// Nodes 0 and 1 in one hyperedge, node 1 and 2 in another, four incidences a0 a1 b1 b2 in a path; nodes 3, 4
/// and 5 are a hyperedge of their own: a triangle of incidences.
Hypergraph path_and_triangle() {
  const std::vector<Index> edges{0, 0, 1, 1, 2, 2, 2};
  const std::vector<Index> nodes{0, 1, 1, 2, 3, 4, 5};
  return {6, 3, IncidenceArrays{edges, nodes, {}}};
}

TEST(Legcn, GivesTheHandComputedRows) {
  const Input input = test::one_feature(path_and_triangle(), {2, 3, 4, 3, 0, 6});
  const auto logits_of = [&](const char* variant) {
    const auto model = test::one_feature_model(
        "legcn", {{"hidden_width", "1"}, {"layers", "2"}, {"self_loops", "false"}, {"variant", variant}},
        input);
    test::set_parameter(*model, "weight0", {1});
    test::set_parameter(*model, "bias0", {-2});
    test::set_parameter(*model, "weight1", {1, -1});
    test::set_parameter(*model, "bias1", {0, 5});
    return test::logits(*model, input);
  };

  // No propagation: relu(x - 2).
  const at::Tensor authors = torch::tensor({0.0, 1.0, 2.0, 1.0, 0.0, 4.0}, torch::kDouble);
  EXPECT_EQ(test::distance(logits_of("authors"), torch::stack({authors, 5 - authors}, 1)), 0);

  // Degrees with self-loops along the path: 2, 3, 3, 2; in the triangle 3, whose mean is 3 everywhere. After
  // the first layer: a0 = 2/2 + 3/sqrt 6 - 2, a1 = 2/sqrt 6 + 3/3 + 3/3 - 2, b1 = 3/3 + 3/3 + 4/sqrt 6 - 2,
  // b2 = 3/sqrt 6 + 4/2 - 2; 1 in the triangle.
  const double s = 1 / std::sqrt(6.0);
  const double a0 = 3 * s - 1;
  const double a1 = 2 * s;
  const double b1 = 4 * s;
  const double b2 = 3 * s;
  const double node1 = ((a0 * s + a1 / 3 + b1 / 3) + (a1 / 3 + b1 / 3 + b2 * s)) / 2;
  const at::Tensor paper =
      torch::tensor({a0 / 2 + a1 * s, node1, b1 * s + b2 / 2, 1.0, 1.0, 1.0}, torch::kDouble);
  EXPECT_LT(test::distance(logits_of("paper"), torch::stack({paper, 5 - paper}, 1)), 1e-12);
}

}  // namespace
}  // namespace dshn::models
