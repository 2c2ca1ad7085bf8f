// Training as a library call: a data set made here, no file, no folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "dshn/train/memory_guard.hpp"
#include "dshn/train/run.hpp"
#include "support/temporary_folder.hpp"
#include "train/split_training.hpp"

namespace dshn::train {
namespace {

std::shared_ptr<const data::Dataset> made_here() {
  SyntheticOptions options;
  options.seed = 3;
  LabelledHypergraph made = synthetic_benchmark(options);
  data::Dataset dataset;
  dataset.name = "made here";
  dataset.hypergraph = made.hypergraph;
  dataset.labels = std::move(made.labels);
  dataset.class_count = options.classes;
  return std::make_shared<const data::Dataset>(std::move(dataset));
}

Settings short_settings(const std::string& model) {
  Settings settings;
  settings.model = model;
  settings.splits = 2;
  settings.device = "cpu";
  settings.set = {{"epochs", "6"}};
  if (model == "dshn") settings.set["hidden_width"] = "8";
  return settings;
}

TEST(RunInMemory, GivesWhatARunFolderGives) {
  const TemporaryFolder folder;
  for (const char* model : {"dshn", "components"}) {
    const Experiment experiment(made_here(), short_settings(model));
    const RunResult stored = run(experiment, folder / model, {});

    const RunResult kept = run_in_memory(experiment);

    ASSERT_EQ(kept.splits.size(), 2U);
    for (std::size_t s = 0; s < 2; ++s) {
      EXPECT_EQ(kept.splits[s].test, stored.splits[s].test);
      EXPECT_TRUE(at::equal(kept.splits[s].predictions, stored.splits[s].predictions));
    }
  }
}

TEST(RunInMemory, GivesAModelThatPredictsTheSame) {
  const Experiment experiment(made_here(), short_settings("dshn"));
  const RunResult result = run_in_memory(experiment);

  const std::shared_ptr<models::Model> model = trained_model(experiment, result.splits[1]);

  const torch::NoGradGuard no_grad;
  const at::Tensor logits = model->forward(experiment.prepared(), {false, nullptr});
  EXPECT_TRUE(at::equal(logits.to(at::kDouble).softmax(1), result.splits[1].predictions));
}

TEST(ClassWeights, AreInverseFrequencies) {
  const at::Tensor labels = torch::tensor({0, 0, 0, 2}, torch::kLong);
  const at::Tensor weights = make_objective(data::TargetKind::classes, 3)->weights(labels, torch::kDouble);
  // 1/3, 0 and 1, scaled to a sum of three.
  EXPECT_TRUE(at::allclose(weights, torch::tensor({0.75, 0.0, 2.25}, torch::kDouble)));
}

TEST(ClassWeights, ReachTheLoss) {
  data::Dataset dataset = *made_here();
  for (std::size_t i = 0; i < dataset.labels.size(); ++i) dataset.labels[i] = i % 7 == 0 ? 1 : 0;
  dataset.class_count = 2;
  Settings settings = short_settings("hgnn");
  settings.set = {{"epochs", "1"}, {"dropout", "0"}, {"precision", "float64"}};
  std::vector<double> losses;
  for (const bool weigh : {false, true}) {
    settings.set["class_weights"] = weigh ? "true" : "false";
    const Experiment experiment(std::make_shared<const data::Dataset>(dataset), settings);
    SplitHooks hooks;
    hooks.on_epoch = [&](const EpochRecord& record) { losses.push_back(record.loss); };
    run_splits({{&experiment, 0, {}}}, hooks);
    const torch::NoGradGuard no_grad;
    const at::Tensor untrained =
        experiment.new_model(0)->forward(experiment.prepared(), {false, nullptr}).log_softmax(1);
    const std::vector<Index>& items = experiment.splits[0].train;
    const auto ones = std::ranges::count_if(items, [&](Index item) { return dataset.labels[item] == 1; });
    const auto zeros = static_cast<std::ptrdiff_t>(items.size()) - ones;
    double sum = 0;
    double weights = 0;
    for (const Index item : items) {
      const Index label = dataset.labels[item];
      const double weight = weigh ? 1.0 / static_cast<double>(label == 1 ? ones : zeros) : 1.0;
      sum -= weight * untrained[item][label].item<double>();
      weights += weight;
    }
    EXPECT_NEAR(losses.back(), sum / weights, 1e-12) << weigh;
  }
  ASSERT_EQ(losses.size(), 2U);
  EXPECT_GT(std::abs(losses[0] - losses[1]), 1e-3);
}

TEST(Experiment, UsesTheHypergraphWhereItLies) {
  const auto dataset = made_here();
  const Experiment experiment(dataset, short_settings("dshn"));
  EXPECT_EQ(experiment.input.incidence.by_edge().index.data_ptr<Index>(),
            dataset->hypergraph.member_nodes().data());
}

TEST(Experiment, UsesStoredFeaturesWhereTheyLie) {
  data::Dataset dataset = *made_here();
  dataset.node_features = {500, 2, std::vector<float>(1000, 0.5F)};
  const Experiment experiment(std::make_shared<const data::Dataset>(dataset), short_settings("dshn"));
  EXPECT_EQ(experiment.input.x.dense().data_ptr<float>(), dataset.node_features.values().data());
}

TEST(Experiment, TakesSparseHyperedgeFeaturesWithTheirZeros) {
  data::Dataset dataset = *made_here();
  const Index edges = dataset.hypergraph.edge_count();
  std::vector<float> values(static_cast<std::size_t>(edges) * 64, 0.0F);
  values[70] = 2;
  dataset.edge_features = data::Features(edges, 64, values).compact();
  ASSERT_TRUE(dataset.edge_features.sparse());
  const Experiment experiment(std::make_shared<const data::Dataset>(dataset), short_settings("dshn"));
  EXPECT_TRUE(at::equal(experiment.input.edge_x, torch::tensor(values).view({edges, 64})));
}

TEST(Experiment, SaysWhatOfTheDataTheModelDoesNotUse) {
  data::Dataset dataset = *made_here();
  const Index edges = dataset.hypergraph.edge_count();
  dataset.hypergraph = with_items(dataset.hypergraph, {}, {}, std::vector<double>(edges, 2.0));
  dataset.edge_features =
      data::Features(edges, 3, std::vector<float>(static_cast<std::size_t>(edges) * 3, 1.0F));
  const auto shared = std::make_shared<const data::Dataset>(dataset);
  const auto warnings = [&](const std::string& model, const std::string& seen = "") {
    Settings settings = short_settings(model);
    if (!seen.empty()) settings.set["hyperedge_features"] = seen;
    return Experiment(shared, settings).warnings;
  };
  const auto features = [](const std::string& model) {
    return model + " does not use the 3 features of hyperedges; dshn with hyperedge_features=given does";
  };

  EXPECT_THAT(
      warnings("hnhn"),
      testing::ElementsAre("hnhn does not use the weights of hyperedges: all count alike", features("hnhn")));
  EXPECT_THAT(warnings("hgnn"), testing::ElementsAre(features("hgnn")));
  EXPECT_THAT(warnings("dshn"), testing::ElementsAre(features("dshn")));
  EXPECT_THAT(warnings("dshn", "given"), testing::IsEmpty());
  EXPECT_THAT(Experiment(made_here(), short_settings("hnhn")).warnings, testing::IsEmpty());
}

TEST(Experiment, PreparesItsInputOnce) {
  const Experiment experiment(made_here(), short_settings("hgnn"));
  EXPECT_EQ(&experiment.prepared(), &experiment.prepared());
  EXPECT_TRUE(Experiment(experiment)
                  .prepared()
                  .incidence.by_edge()
                  .index.is_same(experiment.prepared().incidence.by_edge().index));
}

TEST(MemoryGuard, RefusesWhatDoesNotFit) {
  const Experiment experiment(made_here(), short_settings("hgnn"));
  const double needed = experiment.needed_bytes();
  EXPECT_NO_THROW(check_memory(experiment, needed));
  try {
    check_memory(experiment, needed - 1);
    FAIL() << "nothing was thrown";
  } catch (const TooLarge& refusal) {
    EXPECT_THAT(refusal.what(), testing::HasSubstr("training needs about"));
  }
}

TEST(MemoryGuard, LetsLayersBeWorkedOutAgainBeforeItRefuses) {
  Settings settings = short_settings("dshn");
  settings.set["layers"] = "4";
  const Experiment all_kept(made_here(), settings);
  const double needed = all_kept.needed_bytes();
  const Experiment saving(made_here(), settings);
  check_memory(saving, needed - 1);
  EXPECT_TRUE(saving.saves_memory());
  EXPECT_LT(saving.needed_bytes(), 0.9 * needed);
  const RunResult kept = run_in_memory(all_kept);
  const RunResult again = run_in_memory(saving);
  EXPECT_FALSE(all_kept.saves_memory());
  EXPECT_TRUE(at::equal(kept.splits[0].predictions, again.splits[0].predictions));

  for (const auto& [model, memory] : Assignments{{"dshn", "keep"}, {"hgnn", ""}}) {
    Settings other = short_settings(model);
    if (!memory.empty()) other.set["memory"] = memory;
    const Experiment experiment(made_here(), other);
    EXPECT_THROW(check_memory(experiment, experiment.needed_bytes() - 1), TooLarge) << model;
    EXPECT_FALSE(experiment.saves_memory()) << model;
  }
}

TEST(MemoryGuard, MeasuresATrainingOnceForAllSeeds) {
  const double needed = Experiment(made_here(), short_settings("dshn")).needed_bytes();
  Settings other = short_settings("dshn");
  other.seed += 1;
  other.set["lr"] = "0.5";
  const Experiment experiment(made_here(), other);
  torch::manual_seed(5);
  const at::Tensor drawn = torch::rand({4});
  torch::manual_seed(5);

  EXPECT_EQ(experiment.needed_bytes(), needed);

  EXPECT_TRUE(torch::rand({4}).equal(drawn)) << "another model was made, which sets the seed";
}

TEST(MemoryGuard, AsksForMoreForAWiderModel) {
  const double narrow = Experiment(made_here(), short_settings("dshn")).needed_bytes();
  for (const auto& [name, value] : Assignments{{"hidden_width", "64"}, {"classifier_width", "2048"}}) {
    Settings wide = short_settings("dshn");
    wide.set[name] = value;
    EXPECT_GT(Experiment(made_here(), wide).needed_bytes(), 2 * narrow) << name;
  }
}

}  // namespace
}  // namespace dshn::train
