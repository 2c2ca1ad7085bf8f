// Training as a library call: a data set made here, no file, no folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/train/memory.hpp"
#include "dshn/train/run.hpp"
#include "support/temporary_folder.hpp"

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
      EXPECT_TRUE(at::equal(kept.splits[s].probabilities, stored.splits[s].probabilities));
    }
  }
}

TEST(RunInMemory, GivesAModelThatPredictsTheSame) {
  const Experiment experiment(made_here(), short_settings("dshn"));
  const RunResult result = run_in_memory(experiment);

  const std::shared_ptr<models::Model> model = trained_model(experiment, result.splits[1]);

  const torch::NoGradGuard no_grad;
  const at::Tensor logits = model->forward(experiment.prepared(), {false, nullptr});
  EXPECT_TRUE(at::equal(logits.to(at::kDouble).softmax(1), result.splits[1].probabilities));
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

TEST(Experiment, PreparesItsInputOnce) {
  const Experiment experiment(made_here(), short_settings("hgnn"));
  EXPECT_EQ(&experiment.prepared(), &experiment.prepared());
  EXPECT_TRUE(Experiment(experiment)
                  .prepared()
                  .incidence.by_edge()
                  .index.is_same(experiment.prepared().incidence.by_edge().index));
}

TEST(MemoryGuard, RefusesWhatDoesNotFit) {
  const Experiment experiment(made_here(), short_settings("dshn"));
  const double needed = estimated_bytes(experiment);
  EXPECT_NO_THROW(check_memory(experiment, needed));
  try {
    check_memory(experiment, needed - 1);
    FAIL() << "nothing was thrown";
  } catch (const TooLarge& refusal) {
    EXPECT_THAT(refusal.what(), testing::HasSubstr("training needs about"));
  }
}

TEST(MemoryGuard, AsksForMoreForAWiderModel) {
  Settings wide = short_settings("dshn");
  wide.set["hidden_width"] = "64";
  EXPECT_GT(estimated_bytes(Experiment(made_here(), wide)),
            2 * estimated_bytes(Experiment(made_here(), short_settings("dshn"))));
}

}  // namespace
}  // namespace dshn::train
