// What every model of the registry must do, whatever it computes.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "models/dense_model.hpp"

namespace dshn::models {
namespace {

/// Those of the assignments that the model has options for.
Assignments those_of(const std::string& name, const Assignments& set) {
  Assignments result;
  for (const OptionSpec& spec : find_model(name).options) {
    if (const auto found = set.find(spec.name); found != set.end()) result.insert(*found);
  }
  return result;
}

/// No width is the number of nodes (7) or of hyperedges (5) of the small hypergraph.
const Assignments kSmallSizes{{"hidden_width", "4"}, {"classifier_width", "3"}, {"layers", "2"}, {"d", "2"}};

std::shared_ptr<Model> small_model_of(const std::string& name, const Input& input, Target target) {
  return test::new_model(name, those_of(name, kSmallSizes), input, target);
}

/// A parameter with a row per node or per hyperedge belongs to them and moves with them.
void move_own_rows(Model& model, const at::Tensor& node_order, const at::Tensor& edge_order) {
  const torch::NoGradGuard no_grad;
  std::vector<at::Tensor> own = model.parameters();
  for (const at::Tensor& buffer : model.buffers()) own.push_back(buffer);
  for (at::Tensor& rows : own) {
    if (rows.dim() == 0) continue;
    for (const at::Tensor& order : {node_order, edge_order}) {
      if (rows.size(0) == order.size(0)) rows.copy_(rows.index_select(0, order).clone());
    }
  }
}

class EveryModel : public testing::TestWithParam<std::string> {};

TEST_P(EveryModel, FollowsRelabelling) {
  const Hypergraph original = test::small_hypergraph();
  const std::vector<Index> nodes{3, 0, 6, 2, 5, 1, 4};  // node i of the copy is node nodes[i] of the original
  const std::vector<Index> edges{4, 2, 0, 1, 3};
  const at::Tensor node_order = torch::tensor(std::vector<std::int64_t>(nodes.begin(), nodes.end()));
  const at::Tensor edge_order = torch::tensor(std::vector<std::int64_t>(edges.begin(), edges.end()));
  const Input a = test::input_of(original);
  Input b = test::input_of(permuted(original, nodes, edges));
  b.x = a.x.dense().index_select(0, node_order);

  for (const Target target : {Target::nodes, Target::hyperedges}) {
    const auto model = small_model_of(GetParam(), a, target);
    const at::Tensor before = test::logits(*model, a);
    move_own_rows(*model, node_order, edge_order);
    const at::Tensor after = test::logits(*model, b);

    ASSERT_EQ(before.sizes(), (std::vector<std::int64_t>{target == Target::nodes ? 7 : 5, test::kClasses}));
    const at::Tensor& order = target == Target::nodes ? node_order : edge_order;
    EXPECT_LT(test::distance(before.index_select(0, order), after), 1e-10);
    EXPECT_GT(test::distance(before, before.index_select(0, order)), 1e-10) << "all rows are the same";
  }
}

/// Logits and the parameters' gradients of a training step on a prepared input.
std::vector<at::Tensor> step_on(Model& model, const Input& prepared) {
  nn::MaskStream masks(7);
  masks.start(1);
  model.zero_grad();
  const at::Tensor out = model.forward(prepared, {true, &masks});
  out.square().sum().backward();
  std::vector<at::Tensor> result{out.detach()};
  for (const at::Tensor& parameter : model.parameters()) {
    if (parameter.grad().defined()) result.push_back(parameter.grad().clone());
  }
  return result;
}

/// Logits and gradients of one training step in single precision, with its dropout.
std::vector<at::Tensor> training_step(const std::string& name, const Assignments& set, const Input& input,
                                      int threads) {
  const int before = at::get_num_threads();
  at::set_num_threads(threads);
  Assignments all = those_of(name, {{"layers", "2"}, {"heads", "4"}});
  for (const auto& [option, value] : set) all[option] = value;
  const auto model = test::new_model(name, all, input, Target::hyperedges);
  model->to(at::kFloat);
  std::vector<at::Tensor> result = step_on(*model, model->prepare(input));
  at::set_num_threads(before);
  return result;
}

void expect_the_same_bits(const std::string& name, const Assignments& set, const Input& input) {
  const std::vector<at::Tensor> one = training_step(name, set, input, 1);
  ASSERT_GT(one.size(), 1U);
  for (const int threads : {2, 3, 7}) {
    const std::vector<at::Tensor> several = training_step(name, set, input, threads);
    ASSERT_EQ(one.size(), several.size());
    for (std::size_t i = 0; i < one.size(); ++i)
      EXPECT_TRUE(torch::equal(one[i], several[i]))
          << threads << " threads, tensor " << i << (set.empty() ? "" : ", switched");
  }
}

/// Every option away from its default that the model takes beside those before it: flags the other way, the last of
/// its words, the largest that a search tries.
Assignments all_switched(const std::string& name, const Input& input) {
  Assignments set;
  for (const OptionSpec& spec : find_model(name).options) {
    std::vector<std::string> values = spec.words.empty() ? spec.search : spec.words;
    if (spec.kind == OptionSpec::Kind::flag) values = {spec.default_value == "true" ? "false" : "true"};
    std::erase(values, spec.default_value);
    if (values.empty() || spec.name == "layers") continue;
    Assignments more = set;
    more[spec.name] = values.back();
    try {
      test::new_model(name, more, input, Target::hyperedges)->prepare(input);
      set = more;
    } catch (const Error&) {  // not beside the others
    }
  }
  return set;
}

TEST_P(EveryModel, GivesTheSameBitsForAnyNumberOfThreads) {
  RandomOptions options;
  options.nodes = 700;
  options.hyperedges = 500;
  options.mean_size = 5;
  const Hypergraph plain = random_hypergraph(options);
  const Input input = test::input_of(plain).to(at::kCPU, at::kFloat);
  expect_the_same_bits(GetParam(), {}, input);
  expect_the_same_bits(GetParam(), all_switched(GetParam(), input), input);
  const Input weighed = test::input_of(test::with_incidence_weights(plain)).to(at::kCPU, at::kFloat);
  expect_the_same_bits(GetParam(), {}, weighed);
}

/// Logits on the small hypergraph with these weights of its hyperedges and incidences, empty ones being 1.
at::Tensor weighed_logits(const std::string& name, const std::vector<double>& of_edges, bool of_incidences) {
  const Hypergraph plain = test::small_hypergraph();
  const Hypergraph weighed = with_items(plain, {}, {}, of_edges);
  const Input input = test::input_of(of_incidences ? test::with_incidence_weights(weighed) : weighed);
  // The linear model sees of the hypergraph who is a member of which hyperedge.
  const Target target = name == "linear" ? Target::hyperedges : Target::nodes;
  return test::logits(*small_model_of(name, input, target), input);
}

TEST_P(EveryModel, HeedsWeightsOfHyperedgesOrSaysThatItDoesNot) {
  const auto model = small_model_of(GetParam(), test::input_of(test::small_hypergraph()), Target::nodes);
  const at::Tensor plain = weighed_logits(GetParam(), {}, false);
  const at::Tensor weighed = weighed_logits(GetParam(), {1, 2, 3, 0.5, 0.25}, false);
  EXPECT_EQ(test::distance(plain, weighed) > 1e-6, model->heeds_edge_weights());
}

TEST_P(EveryModel, HeedsWeightsOfIncidences) {
  EXPECT_GT(test::distance(weighed_logits(GetParam(), {}, false), weighed_logits(GetParam(), {}, true)),
            1e-6);
}

TEST_P(EveryModel, HeedsFeaturesOfHyperedgesOrSaysThatItDoesNot) {
  const Input input = test::input_of(test::small_hypergraph(), /*with_edge_features=*/true);
  Input other = input;
  other.edge_x = input.edge_x * -3;
  for (const char* const seen : {"given", "members-sum"}) {
    Assignments set = kSmallSizes;
    set["hyperedge_features"] = seen;
    set = those_of(GetParam(), set);
    const bool has_choice = set.contains("hyperedge_features") && GetParam() != "sheaf-hypergnn";
    if (!has_choice) set.erase("hyperedge_features");
    const auto model = test::new_model(GetParam(), set, input);
    EXPECT_EQ(test::distance(test::logits(*model, input), test::logits(*model, other)) > 1e-6,
              model->heeds_edge_features())
        << seen;
  }
}

TEST_P(EveryModel, TakesSparseFeaturesForDenseOnes) {
  RandomOptions random;
  random.nodes = 60;
  random.hyperedges = 40;
  random.mean_size = 4;
  const Hypergraph hypergraph = random_hypergraph(random);
  torch::manual_seed(2);
  const at::Tensor x = torch::rand({60, 96}, torch::kDouble) * (torch::rand({60, 96}) < 0.05);
  const auto model = test::new_model(
      GetParam(), those_of(GetParam(), {{"layers", "2"}, {"dropout", "0.3"}, {"input_dropout", "0.3"}}),
      Input(hypergraph, x, {}));

  const auto step_with = [&](const nn::FeatureRows& features) {
    return step_on(*model, model->prepare(Input(hypergraph, features, {})));
  };
  const std::vector<at::Tensor> sparse = step_with(nn::FeatureRows::by_entries(x));
  const std::vector<at::Tensor> dense = step_with(x);

  ASSERT_EQ(sparse.size(), dense.size());
  for (std::size_t i = 0; i < sparse.size(); ++i) EXPECT_LT(test::distance(sparse[i], dense[i]), 1e-9) << i;
}

/// A training step of the model gives the same bits for all values of the option where another one is `when`.
void expect_idle(const std::string& model_name, const OptionSpec& spec, const std::string& when) {
  const Input input = test::input_of(test::small_hypergraph(), /*with_edge_features=*/true);
  const std::size_t equals = when.find('=');
  Assignments set = those_of(model_name, kSmallSizes);
  set[when.substr(0, equals)] = when.substr(equals + 1);
  const auto with = [&](const std::string& value) {
    set[spec.name] = value;
    const auto model = test::new_model(model_name, set, input);
    return step_on(*model, model->prepare(input));
  };
  const std::vector<at::Tensor> usual = with(spec.default_value);
  std::vector<std::string> values = spec.words;
  values.insert(values.end(), spec.search.begin(), spec.search.end());
  if (values.empty()) values = {std::to_string(static_cast<int>(spec.min) + 1)};  // a number not searched
  for (const std::string& value : values) {
    const std::vector<at::Tensor> other = with(value);
    ASSERT_EQ(usual.size(), other.size()) << spec.name << '=' << value << " where " << when;
    for (std::size_t i = 0; i < usual.size(); ++i)
      EXPECT_TRUE(torch::equal(usual[i], other[i])) << spec.name << '=' << value << " where " << when;
  }
}

/// What a search is told: an option that is idle where another has some value changes nothing there.
TEST_P(EveryModel, DoesNotHearIdleOptions) {
  for (const OptionSpec& spec : find_model(GetParam()).options)
    for (const std::string& when : spec.idle_when) expect_idle(GetParam(), spec, when);
}

TEST_P(EveryModel, AddsSelfLoopsUnlessToldNotTo) {
  const Assignments without = those_of(GetParam(), {{"self_loops", "false"}});
  if (without.empty()) return;
  const Input plain = test::input_of(test::small_hypergraph());
  Input looped = test::input_of(with_self_loops(test::small_hypergraph()));
  looped.x = plain.x;
  const auto given = [&](const Assignments& set, const Input& input) {
    Assignments all = those_of(GetParam(), kSmallSizes);
    all.insert(set.begin(), set.end());
    return test::logits(*test::new_model(GetParam(), all, input), input);
  };

  EXPECT_EQ(test::distance(given(without, looped), given({}, plain)), 0);
  EXPECT_GT(test::distance(given(without, plain), given({}, plain)), 1e-6);
  EXPECT_TRUE(given(without, plain).isfinite().all().item<bool>());
}

TEST_P(EveryModel, DropsInTrainingOnly) {
  const Input input = test::input_of(test::small_hypergraph());
  const Assignments dropping = those_of(GetParam(), {{"dropout", "0.5"}, {"layers", "2"}});
  ASSERT_EQ(dropping.count("dropout"), 1U) << "every model has the option dropout";
  const auto model = test::new_model(GetParam(), dropping, input);
  const Input prepared = model->prepare(input);
  const auto trained = [&](std::uint64_t step) {
    const torch::NoGradGuard no_grad;
    nn::MaskStream masks(7);
    masks.start(step);
    return model->forward(prepared, {true, &masks});
  };

  EXPECT_EQ(test::distance(trained(1), trained(1)), 0);
  EXPECT_GT(test::distance(trained(1), trained(2)), 1e-6);
  EXPECT_GT(test::distance(trained(1), test::logits(*model, input)), 1e-6);
  EXPECT_EQ(test::distance(test::logits(*model, input), test::logits(*model, input)), 0);
}

TEST_P(EveryModel, LearnsInEveryTrainableParameter) {
  // Large enough for every kind of kink to be met on both sides: an offset of attention, say, cancels where
  // all members of a set are on the same side.
  RandomOptions random;
  random.nodes = 60;
  random.hyperedges = 40;
  random.mean_size = 4;
  Input input = test::input_of(random_hypergraph(random));
  input.x = 3 * input.x.dense();
  for (const Target target : {Target::nodes, Target::hyperedges}) {
    const auto model = test::new_model(GetParam(), those_of(GetParam(), {{"layers", "2"}}), input, target);
    std::vector<at::Tensor> before;
    for (const at::Tensor& parameter : model->parameters()) before.push_back(parameter.detach().clone());
    torch::optim::Adam optimizer(model->parameters(), 0.01);

    test::probe(*model, input).backward();
    optimizer.step();

    std::size_t i = 0;
    for (const auto& item : model->named_parameters()) {
      EXPECT_EQ(test::distance(item.value().detach(), before[i++]) > 1e-6, item.value().requires_grad())
          << item.key();
    }
  }
}

TEST_P(EveryModel, ExplainsItsOptions) {
  const ModelEntry& entry = find_model(GetParam());
  EXPECT_FALSE(entry.title.empty());
  EXPECT_FALSE(entry.summary.empty());
  for (const OptionSpec& spec : entry.options) {
    EXPECT_FALSE(spec.help.empty()) << spec.name;
    for (const std::string& value : spec.search) {
      EXPECT_NO_THROW(Options(entry.options, {{spec.name, value}})) << spec.name << "=" << value;
    }
  }
}

/// The maps of dshn-light are outside of the gradient graph: finite differences see more than it does.
TEST(EveryModelButTheLightOne, HasTrueGradientsWithWeightsOfIncidences) {
  const Input input = test::input_of(test::with_incidence_weights(test::small_hypergraph()));
  for (const ModelEntry& entry : all_models()) {
    if (entry.is_rule || entry.name == "dshn-light") continue;
    SCOPED_TRACE(entry.name);
    test::expect_true_gradients(*small_model_of(entry.name, input, Target::nodes), input);
  }
}

/// Rules are counted, not trained, and have tests of their own.
std::vector<std::string> names_of_trained_models() {
  std::vector<std::string> names;
  for (const ModelEntry& entry : all_models()) {
    if (!entry.is_rule) names.push_back(entry.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryModel, testing::ValuesIn(names_of_trained_models()),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace dshn::models
