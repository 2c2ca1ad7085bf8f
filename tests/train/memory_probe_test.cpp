// The memory that a training is said to need against the tensors that it takes.
#include "train/memory_probe.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "dshn/hypergraph/generators.hpp"
#include "dshn/train/split_run.hpp"
#include "train/small_experiment.hpp"
#include "train/tensor_ledger.hpp"

namespace dshn::train {
namespace {

/// Some times larger than a probe.
std::shared_ptr<const data::Dataset> made_for_probing() {
  RandomOptions options;
  options.nodes = 4000;
  options.hyperedges = 3000;
  data::Dataset dataset;
  dataset.name = "made";
  dataset.hypergraph = random_hypergraph(options);
  for (const std::int64_t label : random_labels(options.nodes, 4, 1))
    dataset.labels.push_back(static_cast<Index>(label));
  dataset.class_count = 4;
  dataset.node_features = data::Features(options.nodes, 24, random_features(options.nodes, 24, 2));
  return std::make_shared<const data::Dataset>(std::move(dataset));
}

class EveryModelsMemory : public testing::TestWithParam<std::string> {};

TEST_P(EveryModelsMemory, IsAboutWhatWasProbed) {
  Settings settings;
  settings.model = GetParam();
  settings.splits = 1;
  settings.device = "cpu";
  if (!models::find_model(GetParam()).is_rule) settings.set = {{"epochs", "2"}};
  const Experiment experiment(made_for_probing(), settings);

  const double said = probed_bytes(experiment);
  TensorLedger ledger;
  run_splits({{&experiment, 0, {}}}, {});
  const std::vector<std::int64_t> held = ledger.take();
  const auto taken = static_cast<double>(*std::max_element(held.begin(), held.end()));

  EXPECT_NEAR(said / (kHeapGaps * taken), 1, 0.15);
}

std::vector<std::string> models_to_probe() {
  std::vector<std::string> names;
  for (const models::ModelEntry& entry : models::all_models()) names.push_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EveryModelsMemory, testing::ValuesIn(models_to_probe()));

TEST(SmallExperiment, HasThePartsInProportion) {
  Settings settings;
  settings.model = "hgnn";
  settings.device = "cpu";
  const Experiment large(made_for_probing(), settings);
  const Experiment small = made_like(large, extent_of(large.dataset->hypergraph) / 10);

  EXPECT_EQ(small.input.hypergraph.node_count(), 400);
  EXPECT_EQ(small.input.hypergraph.edge_count(), 300);
  EXPECT_NEAR(static_cast<double>(small.input.hypergraph.incidence_count()),
              static_cast<double>(large.input.hypergraph.incidence_count()) / 10, 1);
  EXPECT_EQ(small.input.directed, large.input.directed);
  EXPECT_EQ(small.sizes.features, 24);
  EXPECT_EQ(small.sizes.classes, 4);
  EXPECT_NEAR(static_cast<double>(small.splits[0].train.size()),
              static_cast<double>(large.splits[0].train.size()) / 10, 1);
  EXPECT_FALSE(small.is_prepared());
}

}  // namespace
}  // namespace dshn::train
