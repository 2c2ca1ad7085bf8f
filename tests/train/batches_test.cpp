// Training by mini-batches: what they are, and that nothing but the seed decides what comes of them.
#include "train/batches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/parts/divide.hpp"
#include "dshn/train/memory_guard.hpp"
#include "dshn/train/run.hpp"
#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"
#include "support/with_threads.hpp"

namespace dshn::train {
namespace {

using test::message_of;
using testing::HasSubstr;

std::shared_ptr<const data::Dataset> clustered_data(data::Task task = data::Task::node_classification) {
  SyntheticOptions options;
  options.seed = 3;
  LabelledHypergraph made = synthetic_benchmark(options);
  data::Dataset dataset;
  dataset.name = "made here";
  dataset.hypergraph = made.hypergraph;
  dataset.task = task;
  dataset.labels = std::move(made.labels);
  dataset.class_count = options.classes;
  if (task == data::Task::hyperedge_classification) {  // the class of the first tail
    std::vector<Index> labels;
    for (Index e = 0; e < dataset.hypergraph.edge_count(); ++e)
      labels.push_back(dataset.labels[dataset.hypergraph.members(e)[0]]);
    dataset.labels = std::move(labels);
  }
  return std::make_shared<const data::Dataset>(std::move(dataset));
}

Settings batch_settings(const std::string& model, const Assignments& set) {
  Settings settings;
  settings.model = model;
  settings.splits = 1;
  settings.seed = 5;
  settings.device = "cpu";
  settings.set = {{"epochs", "4"}, {"hidden_width", "8"}};
  for (const auto& [name, value] : set) settings.set[name] = value;
  return settings;
}

std::vector<double> losses_of(const Experiment& experiment) {
  std::vector<double> losses;
  SplitHooks hooks;
  hooks.on_epoch = [&](const EpochRecord& record) {
    losses.push_back(record.loss);
    losses.push_back(record.val_loss);
  };
  run_in_memory(experiment, hooks);
  return losses;
}

TEST(Batches, OfAllItemsAndAllThatIsAroundThemAreFullBatches) {
  for (const data::Task task : {data::Task::node_classification, data::Task::hyperedge_classification}) {
    const auto dataset = clustered_data(task);
    for (const char* model : {"hgnn", "unigcnii", "linear"}) {
      Settings settings = batch_settings(model, {{"precision", "float64"}});
      if (std::string(model) == "linear") settings.set.erase("hidden_width");
      const std::vector<double> whole = losses_of(Experiment(dataset, settings));
      settings.set.merge(Assignments{{"batch", "100000"}, {"fanout", "all"}});
      const std::vector<double> batches = losses_of(Experiment(dataset, settings));
      ASSERT_EQ(whole.size(), batches.size());
      for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(whole[i], batches[i], 1e-9) << model;
    }
  }
}

TEST(Batches, HaveEachTrainingItemOnce) {
  for (const Assignments& set : {Assignments{{"batch", "32"}, {"fanout", "3:2:1"}},
                                 Assignments{{"batch", "blocks"}, {"clusters", "7"}}}) {
    const Experiment experiment(clustered_data(), batch_settings("dshn", set));
    const Batches batches(experiment, 0, *batch_options(experiment.settings));
    std::vector<std::vector<Index>> epochs;
    for (const int epoch : {1, 2}) {
      std::vector<Index> seen;
      std::int64_t count = 0;
      batches.for_training(epoch, [&](const Batch& batch) {
        ++count;
        seen.insert(seen.end(), batch.items.begin(), batch.items.end());
      });
      EXPECT_EQ(count, batches.count());
      epochs.push_back(seen);
    }
    EXPECT_NE(epochs[0], epochs[1]) << "the order changes";
    for (std::vector<Index>& seen : epochs) {
      std::sort(seen.begin(), seen.end());
      EXPECT_EQ(seen, experiment.splits[0].train);
    }
  }
}

TEST(Batches, OfEvaluationAreTheSameInEveryEpoch) {
  const Experiment experiment(clustered_data(), batch_settings("dshn", {{"batch", "100"}, {"fanout", "2"}}));
  const Batches batches(experiment, 0, *batch_options(experiment.settings));
  const auto incidences = [&] {
    std::vector<at::Tensor> found;
    Index items = 0;
    batches.for_evaluation([&](const Batch& batch) {
      items += static_cast<Index>(batch.items.size());
      found.push_back(batch.input.incidence.exchange()->whole().incidence_numbers);
    });
    EXPECT_EQ(items, experiment.dataset->item_count());
    return at::cat(found);
  };
  EXPECT_TRUE(at::equal(incidences(), incidences()));
}

TEST(Batches, GiveTheSameBitsForAnyNumberOfThreads) {
  for (const Assignments& set :
       {Assignments{{"batch", "64"}, {"fanout", "4:2:2"}, {"evaluation", "sampled"}, {"epochs", "2"}},
        Assignments{{"batch", "blocks"}, {"clusters", "4"}, {"epochs", "2"}}}) {
    std::vector<std::vector<double>> all;
    for (const int threads : {1, 2, 3, 7}) {
      const int before = at::get_num_threads();
      at::set_num_threads(threads);
      const test::WithThreads several(threads);
      all.push_back(losses_of(Experiment(clustered_data(), batch_settings("dshn", set))));
      at::set_num_threads(before);
    }
    for (const std::vector<double>& losses : all) EXPECT_EQ(losses, all[0]);
  }
}

TEST(Batches, GoOnAfterAStopWithTheBitsOfAnUndisturbedRun) {
  const TemporaryFolder folder;
  const Settings settings = batch_settings("dshn", {{"batch", "64"}, {"fanout", "4"}});
  const Experiment experiment(clustered_data(), settings);
  const RunResult whole = run(experiment, folder / "whole", {});
  int epochs = 0;
  SplitHooks hooks;
  hooks.should_stop = [&] { return ++epochs == 2; };
  EXPECT_THROW(run(experiment, folder / "pieces", hooks), Interrupted);
  const RunResult resumed = run(experiment, folder / "pieces", {});

  EXPECT_EQ(whole.splits[0].val_loss, resumed.splits[0].val_loss);
  EXPECT_TRUE(at::equal(whole.splits[0].predictions, resumed.splits[0].predictions));
}

TEST(Batches, LearnWhatFullBatchesLearn) {
  std::vector<Assignments> ways{{{"batch", "64"}, {"fanout", "8:4:4"}},
                                {{"batch", "64"}, {"fanout", "8:4:4"}, {"evaluation", "sampled"}}};
  if (parts::best_method() == parts::Method::metis)
    ways.push_back({{"batch", "clusters"}, {"clusters", "3"}});
  for (Assignments& set : ways) {
    set.merge(Assignments{{"epochs", "30"}, {"features", "role-degrees"}});
    const RunResult result = run_in_memory(Experiment(clustered_data(), batch_settings("dshn", set)));
    EXPECT_GT(result.test.mean, 0.9);
  }
}

TEST(Batches, AreRefusedWhereTheyCannotBe) {
  const auto refusal = [&](const std::string& model, const Assignments& set,
                           data::Task task = data::Task::node_classification) {
    Settings settings = batch_settings(model, set);
    settings.set.erase("hidden_width");
    return message_of<UsageError>([&] { Experiment(clustered_data(task), settings); });
  };
  EXPECT_THAT(refusal("legcn", {{"batch", "8"}}), HasSubstr("batch: legcn is trained on all items at once"));
  EXPECT_THAT(refusal("majority", {{"batch", "8"}}), HasSubstr("majority is a rule"));
  EXPECT_THAT(refusal("dshn", {{"batch", "-1"}}), HasSubstr("batch"));
  EXPECT_THAT(refusal("dshn", {{"batch", "8"}, {"fanout", "3:2"}}), HasSubstr("hyperedges:tails:heads"));
  EXPECT_THAT(refusal("dshn", {{"batch", "8"}, {"fanout", "0"}}), HasSubstr("fanout"));
  EXPECT_THAT(refusal("dshn", {{"batch", "8"}, {"fanout", "4,"}}), HasSubstr("fanout"));
  EXPECT_THAT(refusal("dshn", {{"batch", "clusters"}}, data::Task::hyperedge_classification),
              HasSubstr("clusters and blocks are of nodes"));
}

TEST(Batches, FanoutIsOfEachLayer) {
  Settings settings = batch_settings("dshn", {{"layers", "3"}, {"batch", "8"}, {"fanout", "9:all:3,2"}});
  const std::vector<Fanout> three{{9, 0, 3}, {2, 2, 2}, {2, 2, 2}};
  EXPECT_EQ(batch_options(settings)->hops, three);
  settings.set["batch"] = "0";
  EXPECT_FALSE(batch_options(settings));
}

/// What a training needs with batches does not grow with the data, but for the tables of who is in them.
TEST(Batches, NeedLessMemoryThanTheWhole) {
  RandomOptions options;
  options.nodes = 200'000;
  options.hyperedges = 100'000;
  data::Dataset dataset;
  dataset.name = "large";
  dataset.hypergraph = random_hypergraph(options);
  for (Index v = 0; v < options.nodes; ++v) dataset.labels.push_back(v % 3);
  dataset.class_count = 3;
  const auto shared = std::make_shared<const data::Dataset>(std::move(dataset));
  const auto needed = [&](const Assignments& set) {
    return Experiment(shared, batch_settings("dshn", set)).needed_bytes();
  };

  const double whole = needed({});
  const Assignments small{{"batch", "64"}, {"fanout", "3"}};
  Assignments sampled = small;
  sampled["evaluation"] = "sampled";

  EXPECT_LT(needed(small), whole);
  EXPECT_LT(needed(sampled), needed(small) / 2);
  const Experiment experiment(shared, batch_settings("dshn", small));
  EXPECT_THAT(message_of<TooLarge>([&] { check_memory(experiment, needed(sampled)); }),
              HasSubstr("evaluation=sampled"));
}

}  // namespace
}  // namespace dshn::train
