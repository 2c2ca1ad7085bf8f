#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "dshn/sheaf/maps.hpp"
#include "models/dense_model.hpp"
#include "support/message_of.hpp"

namespace dshn::models {
namespace {

constexpr std::int64_t kSheafWidth = 3;

Assignments sheaf_gnn_options(Assignments set) {
  set.insert({{"hidden_width", "3"}, {"layers", "2"}, {"d", "2"}});
  return set;
}

/// SheafHyperGNN with its nd x nd matrix.
class DenseSheafGnn {
 public:
  DenseSheafGnn(const Model& model, const Hypergraph& hypergraph, const Assignments& set)
      : model_(model),
        plain_(hypergraph),
        b_(with_self_loops(hypergraph)),
        options_(find_model("sheaf-hypergnn").options, sheaf_gnn_options(set)),
        n_(b_.members.size(0)),
        m_(b_.members.size(1)),
        d_(options_.integer("d")) {}

  at::Tensor logits(const at::Tensor& features, Target target) {
    start_ = test::dense_linear(features, model_, "lift").view({n_ * d_, kSheafWidth});
    at::Tensor x = start_;
    at::Tensor incidence;
    for (int t = 0; t < 2; ++t) {
      if (t == 0 || options_.flag("dynamic_sheaf"))
        incidence = block_incidence(x, "builder" + std::to_string(t));
      x = layer(x, incidence, "conv" + std::to_string(t));
      if (t == 0) x = torch::elu(x);
    }
    return torch::mm(test::dense_target(x.view({n_, -1}), plain_, target),
                     test::parameter(model_, "classifier.weight").t());
  }

 private:
  at::Tensor stalk_mean(const at::Tensor& x) const { return x.view({n_, d_, kSheafWidth}).mean(1); }

  at::Tensor edge_rows(const at::Tensor& nodes, const std::string& builder) const {
    const at::Tensor mean = b_.members.t() / b_.sizes().unsqueeze(1);
    if (options_.is("hyperedge_features", "members-mean")) return torch::mm(mean, nodes);
    if (options_.is("hyperedge_features", "first-mean")) return torch::mm(mean, stalk_mean(start_));
    if (options_.is("hyperedge_features", "members-product")) {
      const at::Tensor factors = torch::tanh(test::dense_linear(nodes, model_, builder + ".edge_transform"));
      const at::Tensor members = b_.members.t().unsqueeze(2);
      const at::Tensor product = (members * factors + (1 - members)).prod(1);
      return torch::relu(test::dense_linear(product, model_, builder + ".product_transform")) +
             torch::relu(torch::mm(b_.members.t(), nodes));
    }
    return torch::mm(b_.members.t(), test::dense_linear(nodes, model_, builder + ".edge_transform"));
  }

  /// [n d, m d]: block (v, e) is the transpose of F_ve.
  at::Tensor block_incidence(const at::Tensor& x, const std::string& builder) const {
    const at::Tensor nodes = stalk_mean(x);
    const at::Tensor edges = edge_rows(nodes, builder);
    at::Tensor pairs =
        torch::cat({nodes.unsqueeze(1).expand({n_, m_, -1}), edges.unsqueeze(0).expand({n_, m_, -1})}, 2);
    if (options_.flag("input_norm"))
      pairs = test::dense_norm(pairs, model_, builder + ".predictor.input_norm");
    at::Tensor z = test::dense_linear(pairs, model_, builder + ".predictor.linear").view({n_ * m_, -1});
    if (options_.is("sheaf_activation", "sigmoid")) z = torch::sigmoid(z);
    if (options_.is("sheaf_activation", "tanh")) z = torch::tanh(z);
    at::Tensor maps =
        sheaf::maps_from_parameters(sheaf::map_kind(options_.text("maps")), z, d_, options_.integer("rank"));
    if (maps.dim() == 2) maps = torch::diag_embed(maps);
    const at::Tensor blocks = maps.view({n_, m_, d_, d_}) * b_.members.unsqueeze(2).unsqueeze(3);
    return blocks.permute({0, 3, 1, 2}).reshape({n_ * d_, m_ * d_});
  }

  /// The part of an nd x nd matrix in the diagonal d x d blocks.
  at::Tensor diagonal_blocks(const at::Tensor& matrix) const {
    const at::Tensor mask =
        torch::kron(torch::eye(n_, torch::kDouble), torch::ones({d_, d_}, torch::kDouble));
    return matrix * mask;
  }

  /// N, or its square root for the symmetric normalisations.
  at::Tensor scale(const at::Tensor& incidence) const {
    const std::string& kind = options_.text("normalisation");
    const at::Tensor degree = torch::mv(b_.members, b_.weights).repeat_interleave(d_);
    if (kind == "degree") return torch::diag(1 / degree);
    if (kind == "sym-degree") return torch::diag(degree.rsqrt());
    const at::Tensor weights = torch::diag(b_.weights.repeat_interleave(d_));
    // A member that counts m times has m F here, and gives the degree m F^T F.
    const at::Tensor counts = b_.members.repeat_interleave(d_, 0).repeat_interleave(d_, 1);
    const at::Tensor once = torch::where(counts > 0, incidence / counts, torch::zeros_like(incidence));
    const at::Tensor blocks = diagonal_blocks(torch::mm(torch::mm(incidence, weights), once.t()));
    if (kind == "block") return torch::inverse(blocks);
    const auto [values, vectors] = torch::linalg_eigh(blocks);
    return torch::mm(vectors * values.rsqrt(), vectors.t());
  }

  at::Tensor layer(const at::Tensor& x, const at::Tensor& incidence, const std::string& conv) const {
    at::Tensor y = x;
    const bool norms = options_.flag("conv_norm");
    if (options_.flag("left_projection")) {
      at::Tensor stalks = x.view({n_, d_, kSheafWidth}).transpose(1, 2);
      if (norms) stalks = test::dense_norm(stalks, model_, conv + ".left_norm");
      y = test::dense_linear(stalks, model_, conv + ".left").transpose(1, 2).reshape({n_ * d_, kSheafWidth});
    }
    if (norms) y = test::dense_norm(y, model_, conv + ".right_norm");
    y = test::dense_linear(y, model_, conv + ".right");
    const at::Tensor over_sizes = torch::diag((b_.weights / b_.sizes()).repeat_interleave(d_));
    const at::Tensor k = torch::mm(torch::mm(incidence, over_sizes), incidence.t());
    const at::Tensor own = diagonal_blocks(k);
    const at::Tensor n = scale(incidence);
    const bool authors = options_.is("variant", "authors");
    const bool symmetric = options_.text("normalisation").rfind("sym", 0) == 0;
    const at::Tensor signal = symmetric ? torch::mm(n, y) : y;
    const at::Tensor others = authors && !options_.is("maps", "diagonal") ? torch::zeros_like(k) : k - own;
    at::Tensor out = (authors ? signal : y) + torch::mm(n, torch::mm(others - own, signal)) +
                     test::parameter(model_, conv + ".bias");
    return options_.flag("residual") ? out + y : out;
  }

  const Model& model_;
  Hypergraph plain_;
  test::DenseIncidence b_;
  Options options_;
  std::int64_t n_;
  std::int64_t m_;
  std::int64_t d_;
  at::Tensor start_;
};

bool multiplies(const Assignments& set) {
  const auto found = set.find("hyperedge_features");
  return found != set.end() && found->second == "members-product";
}

class SheafGnnOptions : public testing::TestWithParam<Assignments> {};

TEST_P(SheafGnnOptions, AgreeWithTheBlockMatrix) {
  for (const Hypergraph& hypergraph : test::random_hypergraphs()) {
    if (multiplies(GetParam()) && hypergraph.has_incidence_weights()) continue;  // refused, see below
    const Input input = test::input_of(hypergraph);
    for (const Target target : {Target::nodes, Target::hyperedges}) {
      const auto model = test::new_model("sheaf-hypergnn", sheaf_gnn_options(GetParam()), input, target);
      test::set_parameter(*model, "conv0.bias", {0.1, -0.2, 0.3});
      EXPECT_LT(test::distance(test::logits(*model, input),
                               DenseSheafGnn(*model, hypergraph, GetParam()).logits(input.x.dense(), target)),
                1e-9);
    }
  }
}

TEST_P(SheafGnnOptions, HaveTrueGradients) {
  const Input input = test::input_of(test::small_hypergraph());
  for (const Target target : {Target::nodes, Target::hyperedges}) {
    test::expect_true_gradients(
        *test::new_model("sheaf-hypergnn", sheaf_gnn_options(GetParam()), input, target), input);
  }
}

INSTANTIATE_TEST_SUITE_P(
    SheafHyperGnn, SheafGnnOptions,
    testing::Values(Assignments{}, Assignments{{"normalisation", "sym-degree"}, {"residual", "true"}},
                    Assignments{{"normalisation", "block"}, {"dynamic_sheaf", "false"}},
                    Assignments{{"normalisation", "sym-block"}, {"hyperedge_features", "members-mean"}},
                    Assignments{
                        {"maps", "general"}, {"normalisation", "block"}, {"left_projection", "false"}},
                    Assignments{{"maps", "general"}, {"normalisation", "sym-block"}},
                    Assignments{{"maps", "orthogonal"}, {"sheaf_activation", "none"}},
                    Assignments{{"maps", "low-rank"}, {"hyperedge_features", "first-mean"}},
                    Assignments{{"input_norm", "true"}, {"sheaf_activation", "tanh"}},
                    Assignments{{"variant", "authors"}, {"normalisation", "sym-degree"}},
                    Assignments{{"variant", "authors"}, {"maps", "general"}},
                    Assignments{{"hyperedge_features", "members-product"}, {"d", "3"}},
                    Assignments{{"conv_norm", "true"}, {"d", "3"}},
                    Assignments{{"conv_norm", "true"}, {"left_projection", "false"}}));

TEST(SheafHyperGnn, RefusesToMultiplyMembersThatCountSoManyTimes) {
  const Input input = test::input_of(test::with_incidence_weights(test::small_hypergraph()));
  const auto model = test::new_model("sheaf-hypergnn",
                                     sheaf_gnn_options({{"hyperedge_features", "members-product"}}), input);
  EXPECT_EQ(
      dshn::test::message_of<UsageError>([&] { model->prepare(input); }),
      "sheaf-hypergnn with hyperedge_features=members-product does not know weights of incidences; node 0 "
      "has 0.5 in hyperedge 0");
}

TEST(SheafHyperGnn, DrawsRandomRowsOnceForAllHyperedgesAndSelfLoops) {
  const Input input = test::input_of(test::small_hypergraph());
  const auto rows = [&](std::uint64_t seed) {
    torch::manual_seed(seed);
    const auto model =
        test::new_model("sheaf-hypergnn", sheaf_gnn_options({{"hyperedge_features", "random"}}), input);
    EXPECT_TRUE(test::logits(*model, input).isfinite().all().item<bool>());
    return model->prepare(input).derived.at("random_edge_rows");
  };
  const at::Tensor drawn = rows(1);
  EXPECT_EQ(drawn.size(0), with_self_loops(test::small_hypergraph()).edge_count());
  EXPECT_TRUE(at::equal(drawn, rows(2)));
}

TEST(SheafHyperGnn, GivesTheHandComputedLogits) {
  const Input input = test::one_feature(test::six_nodes(), {6, 12, 3, 9, -4, 2});
  const auto model = test::one_feature_model("sheaf-hypergnn",
                                             {{"d", "1"},
                                              {"hidden_width", "1"},
                                              {"layers", "1"},
                                              {"left_projection", "false"},
                                              {"sheaf_activation", "none"}},
                                             input);
  test::set_parameter(*model, "lift.weight", {1});
  test::set_parameter(*model, "lift.bias", {0});
  test::set_parameter(*model, "builder0.predictor.linear.weight", {0, 0});
  test::set_parameter(*model, "builder0.predictor.linear.bias", {2});  // every map is 2
  test::set_parameter(*model, "conv0.right.weight", {1});
  test::set_parameter(*model, "conv0.right.bias", {0});
  test::set_parameter(*model, "conv0.bias", {0.5});
  test::set_parameter(*model, "classifier.weight", {1, -2});

  // x_v + 1/2 + the mean over the hyperedges of v of 4/|e| (sum over e - 2 x_v); sums are 21, 12, 5, and x_v
  // for the self-loops. Node 2: (4/3 * 15 + 2 * 6 - 12) / 3 = 20/3.
  const at::Tensor y = torch::tensor({0.5, -13.5, 61.0 / 6, -91.0 / 6, 17.5, -5.5}, torch::kDouble);

  EXPECT_LT(test::distance(test::logits(*model, input), torch::stack({y, -2 * y}, 1)), 1e-12);
}

TEST(SheafHyperGnn, DefaultHasThePaperTablesParameterCount) {
  EXPECT_EQ(test::default_parameters("sheaf-hypergnn", 1433, 7), 404576);  // Cora
  EXPECT_EQ(test::default_parameters("sheaf-hypergnn", 3703, 6), 985440);  // Citeseer
  EXPECT_EQ(test::default_parameters("sheaf-hypergnn", 11, 3), 256 * 11 + 256 + 35680 + 256 * 3);
}

}  // namespace
}  // namespace dshn::models
