#include "dshn/models/sampled_input.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/hypergraph/generators.hpp"
#include "models/dense_model.hpp"

namespace dshn::models {
namespace {

/// More rounds than layers: degrees of those who come last are made of all their maps too.
const std::vector<Fanout> kAll(4);

/// Models and options that take samples in ways of their own.
const std::vector<std::pair<std::string, Assignments>> kModels{
    {"dshn", {}},
    {"dshn", {{"maps", "general"}, {"q", "learn"}}},
    {"dshn", {{"q", "0"}, {"layer_norm", "output"}}},
    {"dshn", {{"q", "learn-per-hyperedge"}, {"add_identity", "true"}}},
    {"dshn", {{"hyperedge_features", "learned"}, {"normalisation", "degree"}, {"memory", "recompute"}}},
    {"dshn-light", {{"hyperedge_features", "given"}, {"maps", "trivial"}}},
    {"hgnn", {}},
    {"hgnn", {{"variant", "authors"}}},
    {"hnhn", {}},
    {"unigcnii", {}},
    {"alldeepsets", {}},
    {"allset-transformer", {}},
    {"ed-hnn", {}},
    {"sheaf-hypergnn", {{"normalisation", "sym-block"}}},
    {"sheaf-hypergnn", {{"maps", "general"}, {"normalisation", "block"}}},
    {"gedi-hnn", {}},
    {"gedi-hnn", {{"variant", "authors"}}},
    {"linear", {}},
};

std::shared_ptr<Model> small_model(const std::string& name, Assignments set, const Input& input,
                                   Target target) {
  const Assignments sizes{{"hidden_width", "4"}, {"classifier_width", "3"}, {"layers", "2"}, {"d", "2"}};
  for (const OptionSpec& spec : find_model(name).options)
    if (const auto found = sizes.find(spec.name); found != sizes.end()) set.insert(*found);
  return test::new_model(name, set, input, target);
}

Hypergraph sparse_hypergraph(bool incidence_weights) {
  RandomOptions options;
  options.nodes = 80;
  options.hyperedges = 30;
  options.mean_size = 3;
  options.directed_share = 0.6;
  options.seed = 3;
  const Hypergraph h = random_hypergraph(options);
  return incidence_weights ? test::with_incidence_weights(h) : h;
}

/// Logits of some items, and the gradients of all parameters, by a training step on `prepared` with its dropout.
std::vector<at::Tensor> step_on(Model& model, const Input& prepared, const at::Tensor& items) {
  nn::MaskStream masks(7);
  masks.start(1);
  masks.number_rows(prepared.incidence);
  model.zero_grad();
  const at::Tensor out = model.forward_items(prepared, {true, &masks}, items);
  (out * torch::arange(out.numel(), out.options()).view(out.sizes()).sin()).sum().backward();
  std::vector<at::Tensor> result{out.detach()};
  for (const at::Tensor& parameter : model.parameters())
    if (parameter.grad().defined()) result.push_back(parameter.grad().clone());
  return result;
}

/// Layer norms of rows that are almost constant make much of a last bit.
void expect_close(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double scale = 1 + a[i].abs().max().item<double>();
    EXPECT_LT(test::distance(a[i], b[i]) / scale, 1e-6) << "tensor " << i;
  }
}

TEST(SampledInput, WithAllThatIsAroundGivesWhatTheWholeGives) {
  const std::vector<std::int64_t> items{5, 61, 17};
  for (const bool incidence_weights : {false, true}) {
    const Input input = test::input_of(sparse_hypergraph(incidence_weights), /*with_edge_features=*/true);
    Sampler sampler(input.hypergraph);
    const Sample sample = sampler.around_nodes(std::vector<Index>(items.begin(), items.end()), kAll, 0);
    ASSERT_LT(sample.nodes.size(), 70U) << "all of it is no sample";
    const Input sampled = sampled_input(input, sample);
    for (const auto& [name, set] : kModels) {
      SCOPED_TRACE(name + " " + (set.empty() ? "" : set.begin()->second));
      const auto model = small_model(name, set, input, Target::nodes);
      ASSERT_EQ(model->needs_whole(), "");
      const std::vector<std::int64_t> places(sample.items.begin(), sample.items.end());
      expect_close(step_on(*model, model->prepare(input), torch::tensor(items)),
                   step_on(*model, model->prepare(sampled), torch::tensor(places)));
    }
  }
}

TEST(SampledInput, OfHyperedgesDoesSoToo) {
  const Input input = test::input_of(sparse_hypergraph(false), /*with_edge_features=*/true);
  const std::vector<std::int64_t> items{4, 21};
  Sampler sampler(input.hypergraph);
  const Sample sample = sampler.around_edges(std::vector<Index>(items.begin(), items.end()), kAll, 0);
  const Input sampled = sampled_input(input, sample);
  for (const auto& [name, set] : kModels) {
    SCOPED_TRACE(name);
    const auto model = small_model(name, set, input, Target::hyperedges);
    const std::vector<std::int64_t> places(sample.items.begin(), sample.items.end());
    expect_close(step_on(*model, model->prepare(input), torch::tensor(items)),
                 step_on(*model, model->prepare(sampled), torch::tensor(places)));
  }
}

TEST(SampledInput, GradientsAreTrueWhereLittleWasDrawn) {
  const Input input = test::input_of(test::small_hypergraph(), /*with_edge_features=*/true);
  Sampler sampler(input.hypergraph);
  const Sample sample = sampler.around_nodes(std::vector<Index>{0, 3}, std::vector<Fanout>{{1, 1, 1}}, 2);
  const Input sampled = sampled_input(input, sample);
  for (const auto& [name, set] : kModels) {
    SCOPED_TRACE(name);
    test::expect_true_gradients(*small_model(name, set, input, Target::nodes), sampled);
  }
}

TEST(SampledInput, TakesRowsOfSparseFeaturesAsTheyAre) {
  Input input = test::input_of(sparse_hypergraph(false));
  const at::Tensor dense = input.x.dense() * (input.x.dense() > 0.5);
  Sampler sampler(input.hypergraph);
  const Sample sample = sampler.around_nodes(std::vector<Index>{5, 61, 17}, kAll, 0);
  input.x = nn::FeatureRows::by_entries(dense);
  const nn::FeatureRows rows = sampled_input(input, sample).x;

  EXPECT_TRUE(rows.sparse());
  const std::vector<std::int64_t> nodes(sample.nodes.begin(), sample.nodes.end());
  EXPECT_TRUE(torch::equal(rows.dense(), dense.index_select(0, torch::tensor(nodes))));
}

TEST(SampledInput, IsNotForModelsThatNeedTheWhole) {
  const Input input = test::input_of(sparse_hypergraph(false));
  for (const char* name : {"legcn", "hypernd", "phenomnn", "dhgnn", "dhgnn-emb"})
    EXPECT_NE(small_model(name, {}, input, Target::nodes)->needs_whole(), "") << name;
  for (const char* rows : {"members-product", "random"})
    EXPECT_NE(
        small_model("sheaf-hypergnn", {{"hyperedge_features", rows}}, input, Target::nodes)->needs_whole(),
        "")
        << rows;
}

}  // namespace
}  // namespace dshn::models
