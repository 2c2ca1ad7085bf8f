// What a run remembers of its data: how features were scaled, what classes are called, whether it is the same.
#include "dshn/train/run_inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/load.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/train/experiment.hpp"
#include "dshn/train/predict.hpp"
#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::train {
namespace {

using test::message_of;
using ::testing::HasSubstr;

constexpr Index kRingSize = 24;

/// A ring of arcs in two classes with a table of two numbers and a word; `factor` and `shift` act on the numbers.
data::Dataset ring(float factor = 1, float shift = 0) {
  std::vector<Index> edge, node;
  std::vector<Role> role;
  std::vector<float> x;
  data::Dataset dataset;
  for (Index v = 0; v < kRingSize; ++v) {
    edge.insert(edge.end(), {v, v});
    node.insert(node.end(), {v, (v + 1) % kRingSize});
    role.insert(role.end(), {Role::tail, Role::head});
    x.insert(x.end(), {factor * static_cast<float>(v % 7) + shift,
                       factor * static_cast<float>(v * v % 5) + shift, static_cast<float>(v % 2)});
    dataset.labels.push_back(v % 3 == 0 ? 1 : 0);
  }
  dataset.name = "ring";
  dataset.hypergraph = Hypergraph(kRingSize, kRingSize, {edge, node, role});
  dataset.node_features = data::Features(kRingSize, 3, x);
  dataset.class_count = 2;
  dataset.code = {{"no", "yes"}, {{"a", {}, 0, false}, {"b", {}, 0, false}, {"c", {"odd"}, 0, false}}, {}};
  dataset.node_feature_names = data::feature_names(dataset.code.node_columns);
  return dataset;
}

Settings ring_settings(const Assignments& set = {}) {
  Settings settings;
  settings.splits = 1;
  settings.device = "cpu";
  settings.set = {{"hidden_width", "8"}, {"classifier_width", "8"}, {"layers", "1"}, {"d", "1"},
                  {"epochs", "5"},       {"split", "random"}};
  for (const auto& [name, value] : set) settings.set[name] = value;
  return settings;
}

Experiment experiment_on(data::Dataset dataset, const Assignments& set = {}) {
  return {std::make_shared<const data::Dataset>(std::move(dataset)), ring_settings(set)};
}

TEST(RunInputs, ScaleOtherDataAsTheTrainingData) {
  const TemporaryFolder temporary;
  const Experiment experiment = experiment_on(ring());
  prepare_folder(experiment.settings, temporary / "run", false);
  const RunResult trained = run(experiment, temporary / "run", {});
  const data::Dataset shifted = ring(10, 5);

  const at::Tensor probabilities = predict(load_model(temporary / "run", 0, experiment.settings, shifted));

  // By hand: mean and deviation of the first data set, applied to the second.
  const auto matrix = [](const data::Dataset& dataset) {
    return torch::tensor(dataset.node_features.dense_values()).view({kRingSize, 3});
  };
  const at::Tensor numbers = matrix(ring()).slice(1, 0, 2).to(at::kDouble);
  at::Tensor by_hand = matrix(shifted);
  by_hand.slice(1, 0, 2) =
      ((by_hand.slice(1, 0, 2).to(at::kDouble) - numbers.mean(0)) / numbers.std(0, false)).to(at::kFloat);
  const auto model = trained_model(experiment, trained.splits[0]);
  const models::Input input(shifted.hypergraph, by_hand, {});
  const torch::NoGradGuard no_grad;
  const at::Tensor expected =
      model->forward(model->prepare(input), {false, nullptr}).to(at::kDouble).softmax(1);
  EXPECT_TRUE(torch::allclose(probabilities, expected, 1e-5, 1e-6));
  EXPECT_FALSE(torch::allclose(probabilities, trained.splits[0].predictions, 1e-5, 1e-6))
      << "scaled by its own mean and deviation the shift would not be seen";
}

TEST(RunInputs, ComeBackFromTheirFile) {
  const TemporaryFolder temporary;
  const RunInputs inputs =
      inputs_of(experiment_on(ring(), {{"features", "stored+one-hot-degree"}}), temporary.path());
  write_inputs(inputs, temporary.path());
  const RunInputs read = *read_inputs(temporary.path());

  EXPECT_EQ(read.code, inputs.code);
  EXPECT_EQ(read.digests, inputs.digests);
  EXPECT_EQ(read.split_digests, inputs.split_digests);
  EXPECT_EQ(read.stored_names, inputs.stored_names);
  EXPECT_EQ(read.options, inputs.options);
  EXPECT_EQ(read.features.kinds, inputs.features.kinds);
  EXPECT_EQ(read.features.scale, inputs.features.scale) << "to the last bit";
  EXPECT_EQ(read.features.one_hot_columns, inputs.features.one_hot_columns);
  EXPECT_EQ(inputs.options.at("lr"), "0.01") << "also what nobody set";
}

TEST(RunInputs, ThatAreDamagedAreRefused) {
  const TemporaryFolder temporary;
  write_inputs(inputs_of(experiment_on(ring()), temporary.path()), temporary.path());
  const std::string whole = io::read_file(temporary / "inputs.json");
  for (const std::string& text : {std::string("{}"), std::string("["), whole.substr(0, whole.size() / 2),
                                  std::string("{\"format\": 3}")}) {
    io::write_file(temporary / "inputs.json", text);
    EXPECT_THAT(message_of<InvalidInput>([&] { read_inputs(temporary.path()); }), HasSubstr("inputs.json: "));
  }
}

TEST(RunInputs, NumbersThatNoRunHasAreRefused) {
  const TemporaryFolder temporary;
  write_inputs(inputs_of(experiment_on(ring()), temporary.path()), temporary.path());
  const auto whole = nlohmann::ordered_json::parse(io::read_file(temporary / "inputs.json"));
  for (const char* const place :
       {"/features/columns", "/features/seed", "/stored_columns", "/features/scaling"}) {
    for (const double other : {-1.0, 1e300, 0.5}) {
      auto changed = whole;
      changed[nlohmann::ordered_json::json_pointer(place)] = other;
      io::write_file(temporary / "inputs.json", changed.dump());
      EXPECT_THROW(read_inputs(temporary.path()), InvalidInput) << place << " = " << other;
    }
  }
  auto wide = whole;  // for each column there would be a scale
  wide["features"].erase("centre");
  wide["features"]["columns"] = 1'000'000'000;
  io::write_file(temporary / "inputs.json", wide.dump());
  EXPECT_THROW(read_inputs(temporary.path()), InvalidInput);
}

TEST(RunInputs, NoticeWhatHasChanged) {
  const TemporaryFolder temporary;
  remember(experiment_on(ring()), temporary / "run");
  remember(experiment_on(ring()), temporary / "run");  // nothing has

  const auto refusal = [&](auto&& change, const Assignments& set = {}) {
    data::Dataset dataset = ring();
    change(dataset);
    return message_of<InvalidInput>([&] { remember(experiment_on(dataset, set), temporary / "run"); });
  };
  EXPECT_THAT(refusal([](data::Dataset& d) { std::ranges::reverse(d.labels); }),
              HasSubstr("the labels have changed"));
  EXPECT_THAT(refusal([](data::Dataset& d) { d.node_features = ring(2).node_features; }),
              HasSubstr("the features have changed"));
  EXPECT_THAT(refusal([](data::Dataset& d) { d.hypergraph = Hypergraph(kRingSize, 1, {}); }),
              HasSubstr("the hypergraph is another one"));
  EXPECT_THAT(refusal([](data::Dataset&) {}, {{"split", "stratified"}}), HasSubstr("split 0 has changed"));
}

TEST(RunInputs, NameFeaturesThatAreMissing) {
  const RunInputs inputs = inputs_of(experiment_on(ring()), ".");
  data::Dataset other = ring();
  other.node_features = data::Features(kRingSize, 1, std::vector<float>(kRingSize));
  EXPECT_EQ(message_of<InvalidInput>([&] { feature_plan(inputs, other); }),
            "ring: trained on 3 features, got 1");
  other = ring();
  other.node_feature_names[1] = "B";
  EXPECT_EQ(message_of<InvalidInput>([&] { feature_plan(inputs, other); }),
            "ring: other features than in training; missing: b");
}

TEST(RunInputs, RefuseFeaturesThatMeanNothingElsewhere) {
  for (const char* kind : {"random", "spectral"}) {
    const Assignments set{{"features", kind}, {"spectral_columns", "2"}};
    const RunInputs inputs = inputs_of(experiment_on(ring(), set), ".");
    feature_plan(inputs, ring());
    data::Dataset other = ring();
    other.hypergraph = Hypergraph(kRingSize, 1, {});
    EXPECT_THAT(message_of<InvalidInput>([&] { feature_plan(inputs, other); }),
                HasSubstr("mean nothing on another hypergraph"));
  }
}

TEST(RunInputs, KeepTheOptionsOfARunThatGoesOn) {
  const TemporaryFolder folder;
  Settings asked = ring_settings();
  asked.data = "telegram";
  write_config(asked, folder / io::kConfigFile);
  EXPECT_EQ(read_to_go_on(folder.path()).set, asked.set) << "nothing is trained yet";

  // As if the default of q had been another one then.
  RunInputs inputs = inputs_of(experiment_on(ring()), folder.path());
  inputs.options["q"] = "0.1";
  write_inputs(inputs, folder.path());
  asked.set["q"] = "0.1";
  EXPECT_EQ(read_to_go_on(folder.path()).set, asked.set);

  // A run of before there were inputs.
  std::filesystem::remove(folder / io::kInputsFile);
  std::filesystem::create_directories(io::split_folder(folder.path(), 0));
  const Settings old = read_to_go_on(folder.path());
  EXPECT_EQ(old.set.at("layers"), "1");
  EXPECT_EQ(old.set.at("residual"), "false");
  EXPECT_TRUE(old.old_defaults);
}

TEST(Experiment, SuggestsWeightsWhereAClassIsRare) {
  data::Dataset skewed = ring();
  skewed.labels.assign(kRingSize, 0);
  skewed.labels[3] = skewed.labels[9] = 1;
  EXPECT_THAT(
      experiment_on(skewed).warnings,
      testing::Contains("class no has 22 items and class yes has 2; class_weights=true lets all classes "
                        "count alike"));
  const auto about_weights = testing::Contains(HasSubstr("class_weights"));
  EXPECT_THAT(experiment_on(skewed, {{"class_weights", "true"}}).warnings, testing::Not(about_weights));
  EXPECT_THAT(experiment_on(ring()).warnings, testing::Not(about_weights));
}

TEST(RunInputs, FindTheDataFromAnywhere) {
  const TemporaryFolder temporary;
  io::Loaded loaded;
  loaded.hypergraph = ring().hypergraph;
  io::save(loaded, temporary / "data");
  Settings settings = ring_settings();
  settings.data = std::filesystem::relative(temporary / "data").string();
  prepare_folder(settings, temporary / "run", false);
  remember({std::make_shared<const data::Dataset>(ring()), settings}, temporary / "run");

  EXPECT_TRUE(std::filesystem::path(read_run(temporary / "run").data).is_absolute());
  std::filesystem::create_directory(temporary / "moved");
  std::filesystem::rename(temporary / "run", temporary / "moved" / "run");
  std::filesystem::rename(temporary / "data", temporary / "moved" / "data");
  EXPECT_TRUE(std::filesystem::exists(read_run(temporary / "moved" / "run").data)) << "both went along";
}

}  // namespace
}  // namespace dshn::train
