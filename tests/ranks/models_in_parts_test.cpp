// Every model computes on parts what it computes on the whole: outputs and gradients of a training step.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/models/registry.hpp"
#include "dshn/ranks/exchange.hpp"
#include "ranks/any_parts.hpp"

namespace dshn::ranks {
namespace {

constexpr std::int64_t kClasses = 3;

struct Case {
  std::string model;
  Assignments set;
  models::Target target;
  bool weights;
};

std::shared_ptr<models::Model> model_of(const Case& c, const models::Input& whole) {
  const models::ModelEntry& entry = models::find_model(c.model);
  torch::manual_seed(5);
  auto model = entry.create(Options(entry.options, c.set),
                            {whole.incidence.nodes(), whole.incidence.edges(), whole.x.size(1),
                             whole.edge_x.size(1), kClasses, c.target});
  model->to(at::kDouble);
  return model;
}

/// Outputs of a training step, with dropout; the loss is the sum over the items that are counted here.
at::Tensor step(models::Model& model, const models::Input& input, const at::Tensor& counted) {
  const models::Input prepared = model.prepare(input);
  nn::MaskStream masks(7);
  masks.number_rows(prepared.incidence);
  masks.start(1);
  const at::Tensor out = model.forward(prepared, {true, &masks});
  (out.index({counted}).square().sum() + out.index({counted}).sum()).backward();
  return out.detach();
}

at::Tensor gradients_of(const models::Model& model) {
  std::vector<at::Tensor> all;
  for (const at::Tensor& parameter : model.parameters())
    all.push_back(parameter.grad().defined() ? parameter.grad().reshape({-1})
                                             : torch::zeros({parameter.numel()}, torch::kDouble));
  return torch::cat(all);
}

void expect_near(const at::Tensor& got, const at::Tensor& expected, const std::string& what) {
  const double scale = expected.abs().max().item<double>();
  EXPECT_LT((got - expected).abs().max().item<double>(), 1e-9 * std::max(scale, 1.0)) << what;
}

void expect_the_same_in_parts(const Case& c, int ranks) {
  const data::Dataset dataset = test::some_data(c.weights);
  const models::Input whole = test::input_of(dataset);
  const bool of_nodes = c.target == models::Target::nodes;
  const std::int64_t items = of_nodes ? whole.incidence.nodes() : whole.incidence.edges();
  const auto reference = model_of(c, whole);
  const at::Tensor expected = step(*reference, whole, torch::ones({items}, torch::kBool));

  const std::vector<parts::Part> parts = test::some_parts(dataset, ranks);
  std::vector<std::shared_ptr<models::Model>> copies;
  for (int rank = 0; rank < ranks; ++rank) copies.push_back(model_of(c, whole));
  std::vector<at::Tensor> outputs(ranks);
  at::Tensor gradients;
  test::on_ranks(ranks, [&](int rank, const std::shared_ptr<const Group>& group) {
    const parts::Plan& plan = parts[rank].plan;
    const auto exchange = make_exchange(plan, group);
    const models::Input part = test::input_of(parts[rank].dataset).as_part(exchange);
    const at::Tensor counted =
        of_nodes ? torch::ones({part.incidence.nodes()}, torch::kBool) : exchange->whole().edge_owned;
    outputs[rank] = step(*copies[rank], part, counted);
    const at::Tensor sum = gradients_of(*copies[rank]);
    group->sum(sum);
    if (rank == 0) gradients = sum;
  });

  std::vector<std::vector<Index>> numbers;
  for (const parts::Part& part : parts) numbers.push_back(of_nodes ? part.plan.nodes : part.plan.edges);
  expect_near(test::assembled(outputs, numbers, items), expected, "outputs");
  expect_near(gradients, gradients_of(*reference), "gradients");
}

class ModelsInParts : public testing::TestWithParam<std::string> {};

TEST_P(ModelsInParts, GiveWhatTheWholeGives) {
  for (const int ranks : {1, 2, 3, 4}) {
    for (const models::Target target : {models::Target::nodes, models::Target::hyperedges}) {
      SCOPED_TRACE(std::to_string(ranks) + (target == models::Target::nodes ? " nodes" : " hyperedges"));
      expect_the_same_in_parts({GetParam(), {}, target, false}, ranks);
    }
  }
}

TEST_P(ModelsInParts, GiveWhatTheWholeGivesWithWeights) {
  expect_the_same_in_parts({GetParam(), {}, models::Target::nodes, true}, 3);
}

std::vector<std::string> trained_models() {
  std::vector<std::string> names;
  for (const models::ModelEntry& entry : models::all_models())
    if (!entry.is_rule) names.push_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, ModelsInParts, testing::ValuesIn(trained_models()),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Options that take other ways through the operators.
TEST(DshnInParts, GivesWhatTheWholeGivesWithEveryKindOfOption) {
  for (const Assignments& set : std::vector<Assignments>{
           {{"maps", "general"}},
           {{"maps", "orthogonal"}, {"sheaf_dropout", "true"}},
           {{"maps", "low-rank"}},
           {{"maps", "trivial"}},
           {{"q", "learn"}},
           {{"q", "learn-per-hyperedge"}},
           {{"q", "0"}, {"layer_norm", "output"}},
           {{"hyperedge_features", "learned"}},
           {{"hyperedge_features", "transformed-sum"}, {"map_norm", "true"}},
           {{"hyperedge_features", "given"}, {"add_identity", "true"}},
           {{"layer_norm", "input"}, {"last_activation", "false"}, {"residual", "false"}},
       }) {
    for (const bool weights : {false, true}) {
      SCOPED_TRACE(set.begin()->first + "=" + set.begin()->second + (weights ? " with weights" : ""));
      expect_the_same_in_parts({"dshn", set, models::Target::nodes, weights}, 3);
    }
  }
}

}  // namespace
}  // namespace dshn::ranks
