// Models of numbers and of labels, for nodes and for hyperedges: what they learn, keep and refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/train/experiment.hpp"
#include "dshn/train/explain.hpp"
#include "dshn/train/label_counts.hpp"
#include "dshn/train/predict.hpp"
#include "dshn/train/run_inputs.hpp"
#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::train {
namespace {

using data::TargetKind;
using data::Task;
using test::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr Index kItems = 150;

/// A ring of directed hyperedges of three nodes, each node with two normal features. Of the mean of a hyperedge's
/// members, or of those of a node's hyperedges, the first feature makes the number and the signs of both the labels.
data::Dataset ring(Task task, TargetKind kind, double factor = 1) {
  std::vector<Index> edge, node;
  std::vector<Role> role;
  std::vector<float> x;
  Random random(11);
  for (Index v = 0; v < kItems; ++v) {
    edge.insert(edge.end(), {v, v, v});
    node.insert(node.end(), {v, (v + 1) % kItems, (v + 2) % kItems});
    role.insert(role.end(), {Role::tail, Role::tail, Role::head});
    x.insert(x.end(), {static_cast<float>(random.normal()), static_cast<float>(random.normal())});
  }
  data::Dataset dataset;
  dataset.name = "ring";
  dataset.task = task;
  dataset.hypergraph = Hypergraph(kItems, kItems, {edge, node, role});
  const auto mean_of_edge = [&](Index e, int column) {
    double sum = 0;
    for (const Index v : dataset.hypergraph.members(e)) sum += x[2 * v + column];
    return sum / 3;
  };
  const auto mean = [&](Index item, int column) {
    if (task == Task::hyperedge_classification) return mean_of_edge(item, column);
    double sum = 0;
    for (const Index e : dataset.hypergraph.edges_of(item)) sum += mean_of_edge(e, column);
    return sum / 3;
  };
  for (Index i = 0; i < kItems; ++i) {
    const bool unknown = i % 10 == 9;
    if (kind == TargetKind::numbers)
      dataset.values.push_back(unknown ? data::kUnknownValue : factor * (500 + 20 * mean(i, 0)));
    else
      for (int c = 0; c < 2; ++c)
        dataset.values.push_back(unknown ? data::kUnknownValue : mean(i, c) > 0 ? 1 : 0);
  }
  dataset.class_count = kind == TargetKind::numbers ? 1 : 2;
  dataset.code.target = kind;
  if (kind == TargetKind::labels) dataset.code.class_names = {"up", "right"};
  dataset.node_features = data::Features(kItems, 2, x);
  return dataset;
}

Settings ring_settings(const std::string& model, const Assignments& set = {}) {
  Settings settings;
  settings.model = model;
  settings.splits = 2;
  settings.device = "cpu";
  settings.set = {{"hidden_width", "16"}, {"epochs", "150"}, {"lr", "0.02"}};
  for (const auto& [name, value] : set) settings.set[name] = value;
  return settings;
}

Experiment experiment_on(const data::Dataset& dataset, const std::string& model,
                         const Assignments& set = {}) {
  return {std::make_shared<const data::Dataset>(dataset), ring_settings(model, set)};
}

class BothTasks : public ::testing::TestWithParam<Task> {};

TEST_P(BothTasks, LearnNumbers) {
  const Experiment experiment = experiment_on(ring(GetParam(), TargetKind::numbers), "dshn");

  const RunResult result = run_in_memory(experiment);

  EXPECT_EQ(experiment.metric, "r2");
  EXPECT_GT(result.test.mean, 0.6) << "the mean of the training items has 0";
  for (const SplitResult& split : result.splits) {
    EXPECT_EQ(split.predictions.sizes(), (std::vector<std::int64_t>{kItems, 1}));
    EXPECT_NEAR(split.predictions.mean().item<double>(), 500, 10) << "in the units of the data";
    EXPECT_LT(split.test_figures->metric("rmse"), 10);
    EXPECT_EQ(split.test_figures->metric("r2"), split.test);
  }
}

TEST_P(BothTasks, LearnLabels) {
  const Experiment experiment = experiment_on(ring(GetParam(), TargetKind::labels), "dshn");

  const RunResult result = run_in_memory(experiment);

  EXPECT_EQ(experiment.metric, "micro-f1");
  EXPECT_GT(result.test.mean, 0.8) << "saying yes to all would have 2/3";
  for (const SplitResult& split : result.splits)
    EXPECT_GT(split.test_figures->metric("subset-accuracy"), 0.5) << "guessing has 1/4";
}

INSTANTIATE_TEST_SUITE_P(Targets, BothTasks,
                         ::testing::Values(Task::node_classification, Task::hyperedge_classification));

TEST(Targets, InOtherUnitsGiveTheSamePredictionsInThem) {
  const Assignments set{{"epochs", "20"}, {"precision", "float64"}};
  const auto predicted = [&](double factor) {
    const Experiment experiment =
        experiment_on(ring(Task::node_classification, TargetKind::numbers, factor), "hgnn", set);
    return run_in_memory(experiment).splits[0].predictions;
  };
  EXPECT_TRUE(at::allclose(predicted(1000), 1000 * predicted(1), 1e-9, 1e-6));
}

TEST(Targets, ARunKeepsWhatItsPredictionsNeed) {
  for (const TargetKind kind : {TargetKind::numbers, TargetKind::labels}) {
    const TemporaryFolder folder;
    const data::Dataset dataset = ring(Task::node_classification, kind);
    const Experiment experiment = experiment_on(dataset, "hgnn", {{"epochs", "10"}});

    const RunResult trained = run(experiment, folder / "run", {});

    const RunInputs inputs = *read_inputs(folder / "run");
    EXPECT_EQ(inputs.code, dataset.code);
    EXPECT_EQ(inputs.target_scales.size(), kind == TargetKind::numbers ? 2U : 0U);
    data::Dataset unlabelled = dataset;
    unlabelled.values.clear();
    for (int split = 0; split < 2; ++split) {
      const LoadedModel loaded = load_model(folder / "run", split, experiment.settings, unlabelled);
      EXPECT_TRUE(at::equal(predict(loaded), trained.splits[split].predictions)) << "split " << split;
      if (kind == TargetKind::numbers) {
        EXPECT_EQ(inputs.target_scales[split], target_scale(dataset, experiment.splits[split].train));
      }
    }
    const RunResult again = evaluate(experiment, folder / "run");
    EXPECT_EQ(again.test.mean, trained.test.mean);
    EXPECT_EQ(again.splits[1].best_epoch, trained.splits[1].best_epoch);
    const RunResult elsewhere = evaluate_on(folder / "run", experiment.settings, dataset);
    EXPECT_EQ(elsewhere.splits[0].test_figures->items(), kItems - kItems / 10);
    const std::string predictions = io::read_file(folder / "run" / io::kPredictionsFile);
    EXPECT_THAT(predictions,
                StartsWith(kind == TargetKind::numbers ? "id,part,true,predicted\n"
                                                       : "id,part,labels,predicted,p_up,p_right\n"));
  }
}

TEST(Targets, OfAnotherKindAreRefused) {
  const TemporaryFolder folder;
  const Experiment experiment =
      experiment_on(ring(Task::node_classification, TargetKind::numbers), "hgnn", {{"epochs", "2"}});
  run(experiment, folder / "run", {});
  const data::Dataset labels = ring(Task::node_classification, TargetKind::labels);

  EXPECT_THAT(message_of<InvalidInput>([&] { load_model(folder / "run", 0, experiment.settings, labels); }),
              HasSubstr("has labels to predict, but the model was trained on numbers"));
  EXPECT_THAT(message_of<InvalidInput>([&] { check_unchanged(labels, folder / "run"); }),
              HasSubstr("the numbers to predict have become labels"));
  const Experiment other = experiment_on(labels, "hgnn", {{"epochs", "2"}});
  EXPECT_THAT(message_of<InvalidInput>([&] { run(other, folder / "run", {}); }),
              HasSubstr("the numbers to predict have become labels"));
}

TEST(Targets, TheMetricDecidesWhichEpochCounts) {
  const data::Dataset dataset = ring(Task::node_classification, TargetKind::numbers);
  const auto best = [&](const char* metric) {
    const Experiment experiment = experiment_on(dataset, "hgnn", {{"epochs", "40"}, {"metric", metric}});
    std::vector<EpochRecord> records;
    SplitHooks hooks;
    hooks.on_epoch = [&](const EpochRecord& record) { records.push_back(record); };
    const SplitResult result = run_in_memory(experiment, hooks).splits[0];
    for (const EpochRecord& record : records) {
      if (record.split != 0) continue;
      const double sign = find_metric(metric).lower_is_better ? -1 : 1;
      EXPECT_LE(sign * record.val, sign * result.val) << metric << " of epoch " << record.epoch;
    }
    return result.best_epoch;
  };
  EXPECT_EQ(best("r2"), best("rmse")) << "they have the same order on one set of items";
  best("mae");
}

TEST(Targets, RefuseWhatIsMeantForClasses) {
  const data::Dataset numbers = ring(Task::node_classification, TargetKind::numbers);
  const auto refusal = [](const data::Dataset& dataset, const std::string& model, const Assignments& set) {
    return message_of<UsageError>([&] { experiment_on(dataset, model, set); });
  };
  Settings rule = ring_settings("components");
  rule.set = {};
  EXPECT_THAT(
      message_of<UsageError>([&] { Experiment(std::make_shared<const data::Dataset>(numbers), rule); }),
      AllOf(HasSubstr("model components"), HasSubstr("rule for classes")));
  EXPECT_THAT(refusal(numbers, "hgnn", {{"class_weights", "true"}}), HasSubstr("class_weights"));
  EXPECT_THAT(refusal(numbers, "hgnn", {{"metric", "accuracy"}}),
              AllOf(HasSubstr("metric accuracy"), HasSubstr("r2, rmse, mae")));
  EXPECT_THAT(refusal(numbers, "hgnn", {{"split", "stratified"}}), HasSubstr("choose random"));
  EXPECT_THAT(refusal(ring(Task::node_classification, TargetKind::labels), "hgnn", {{"metric", "rmse"}}),
              HasSubstr("micro-f1, macro-f1, subset-accuracy"));
  data::Dataset same = numbers;
  for (double& value : same.values) value = 7;
  EXPECT_THAT(message_of<InvalidInput>([&] { experiment_on(same, "hgnn"); }), HasSubstr("nothing to learn"));
}

TEST(Targets, WeightsOfLabelsReachTheLoss) {
  const data::Dataset labels = ring(Task::node_classification, TargetKind::labels);
  const auto first_loss = [&](const char* weights) {
    return run_in_memory(experiment_on(labels, "hgnn", {{"epochs", "1"}, {"class_weights", weights}}))
        .splits[0]
        .val_loss;
  };
  EXPECT_NE(first_loss("true"), first_loss("false")) << "the first step goes elsewhere";
}

TEST(Targets, AnExplanationOfANumberIsInItsUnits) {
  const data::Dataset dataset = ring(Task::node_classification, TargetKind::numbers);
  const TemporaryFolder folder;
  const Experiment experiment = experiment_on(dataset, "dshn", {{"epochs", "60"}});
  const RunResult trained = run(experiment, folder / "run", {});
  const LoadedModel loaded = load_model(folder / "run", 0, experiment);

  const Explanation found = explain(loaded, dataset.task, 3);

  EXPECT_NEAR(found.value, trained.splits[0].predictions[3][0].item<double>(), 1e-6);
  EXPECT_EQ(found.score, found.value);
  ASSERT_FALSE(found.features.strongest.empty());
  models::Input without = loaded.given;
  const at::Tensor values = without.x.values().clone();
  const Index column = found.features.strongest[0].column;
  values.view({-1, 2})[3][column] = 0;
  without.x = without.x.with_values(values);
  const torch::NoGradGuard no_grad;
  const at::Tensor outputs = loaded.model->forward(loaded.model->prepare(without), {false, nullptr});
  EXPECT_NEAR(found.features.strongest[0].effect,
              found.value - loaded.objective->predictions(outputs)[3][0].item<double>(), 1e-4);
}

}  // namespace
}  // namespace dshn::train
