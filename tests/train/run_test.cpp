// Whole runs on a small generated benchmark: the same bits again, after a kill, and for any number of
// threads.
#include "dshn/train/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "dshn/base/error.hpp"
#include "dshn/data/open.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/io/load.hpp"
#include "dshn/train/memory_guard.hpp"
#include "dshn/train/predict.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::train {
namespace {

Settings small_settings(const Assignments& set = {}) {
  Settings settings;
  settings.data = "synthetic-generated-io10";
  settings.splits = 2;
  settings.seed = 4;
  settings.device = "cpu";
  settings.set = {
      {"hidden_width", "8"}, {"classifier_width", "8"}, {"layers", "2"}, {"d", "2"}, {"epochs", "12"}};
  for (const auto& [name, value] : set) settings.set[name] = value;
  return settings;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Everything in a run folder that must not depend on how often it was interrupted.
std::map<std::string, std::string> lasting_files(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const char* name :
       {"split-00/model.safetensors", "split-01/model.safetensors", "split-00/metrics.jsonl",
        "split-01/metrics.jsonl", "metrics.jsonl", "predictions.csv", "config.toml"}) {
    files[name] = text_of(folder / name);
  }
  return files;
}

TEST(Run, SteadyValidationIsTheMeanAroundTheBestEpoch) {
  const TemporaryFolder folder;
  const Settings settings = small_settings({{"epochs", "40"}});
  std::vector<EpochRecord> records;
  SplitHooks hooks;
  hooks.on_epoch = [&](const EpochRecord& record) { records.push_back(record); };
  for (const SplitResult& result : run(Experiment(settings), folder.path() / "run", hooks).splits) {
    double sum = 0;
    int count = 0;
    for (const EpochRecord& record : records) {
      if (record.split != result.split || std::abs(record.epoch - result.best_epoch) > 10) continue;
      sum += record.val;
      ++count;
    }
    EXPECT_GE(count, 11);
    EXPECT_DOUBLE_EQ(result.steady_val, sum / count);
  }
}

std::map<std::string, std::string> train_whole(const Settings& settings,
                                               const std::filesystem::path& folder) {
  prepare_folder(settings, folder, false);
  run(Experiment(settings), folder, {});
  return lasting_files(folder);
}

/// Lets a run be stopped after every `epochs` epochs until it is done.
std::map<std::string, std::string> train_in_pieces(const Settings& settings,
                                                   const std::filesystem::path& folder, int epochs) {
  prepare_folder(settings, folder, false);
  for (bool done = false; !done;) {
    int seen = 0;
    SplitHooks hooks;
    hooks.should_stop = [&] { return ++seen >= epochs; };
    try {
      run(Experiment(read_config(folder / "config.toml")), folder, hooks);
      done = true;
    } catch (const Interrupted&) {
    }
  }
  return lasting_files(folder);
}

TEST(Run, LeavesEverythingNeededToTrustItAndUseIt) {
  const TemporaryFolder temporary;
  const Settings settings = small_settings();

  train_whole(settings, temporary / "run");

  const auto result = nlohmann::json::parse(text_of(temporary / "run/result.json"));
  for (const char* key : {"model", "data", "task", "metric", "splits", "test", "val", "parameters",
                          "epoch_ms", "peak_mb", "run", "protocol"}) {
    EXPECT_TRUE(result.contains(key)) << key;
  }
  EXPECT_EQ(result["splits"].size(), 2);
  EXPECT_EQ(result["data"], "synthetic-generated-io10");
  std::istringstream lines(text_of(temporary / "run/metrics.jsonl"));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_TRUE(nlohmann::json::parse(line).contains("val"));
  EXPECT_EQ(count, 24);
}

TEST(Run, GivesTheSameBitsAgainAndOtherBitsForAnotherSeed) {
  const TemporaryFolder temporary;
  Settings settings = small_settings({{"maps", "general"}});

  const auto first = train_whole(settings, temporary / "a");
  const auto second = train_whole(settings, temporary / "b");
  settings.seed = 5;
  const auto third = train_whole(settings, temporary / "c");

  EXPECT_TRUE(first == second);
  EXPECT_TRUE(first.at("split-00/model.safetensors") != third.at("split-00/model.safetensors"));
}

TEST(Run, GivesTheSameBitsForAnyNumberOfThreads) {
  const TemporaryFolder temporary;
  const Settings settings = small_settings({{"hidden_width", "32"}, {"layer_norm", "output"}});
  std::map<std::string, std::string> reference;
  for (const int threads : {1, 2, 3}) {
    torch::set_num_threads(threads);
    const auto files = train_whole(settings, temporary / std::to_string(threads));
    if (threads == 1) reference = files;
    EXPECT_TRUE(reference == files) << threads << " threads";
  }
}

TEST(Run, GivesTheSameBitsWhenStoppedAndResumedAtAnyEpoch) {
  const TemporaryFolder temporary;
  const Settings settings = small_settings({{"sheaf_dropout", "true"}});

  const auto whole = train_whole(settings, temporary / "whole");

  for (const int epochs : {1, 5, 12}) {
    EXPECT_TRUE(whole == train_in_pieces(settings, temporary / std::to_string(epochs), epochs)) << epochs;
  }
}

TEST(Run, RefusesAFolderThatHoldsARunAlready) {
  const TemporaryFolder temporary;
  const Settings settings = small_settings({{"epochs", "1"}});
  train_whole(settings, temporary / "run");

  EXPECT_THROW(prepare_folder(settings, temporary / "run", false), UsageError);
  EXPECT_NO_THROW(prepare_folder(settings, temporary / "run", true));
}

TEST(Run, RefusesACheckpointOfOtherOptions) {
  const TemporaryFolder temporary;
  const Settings settings = small_settings({{"epochs", "2"}});
  train_whole(settings, temporary / "run");
  const Settings other = small_settings({{"epochs", "2"}, {"lr", "0.02"}});

  try {
    run(Experiment(other), temporary / "run", {});
    FAIL() << "a checkpoint of another run was taken";
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("belongs to another run"));
  }
}

TEST(Run, RefusesATruncatedCheckpoint) {
  const TemporaryFolder temporary;
  const Settings settings = small_settings({{"epochs", "2"}});
  train_whole(settings, temporary / "run");
  const std::filesystem::path state = temporary / "run/split-00/state.safetensors";
  std::filesystem::resize_file(state, std::filesystem::file_size(state) / 2);

  EXPECT_THROW(run(Experiment(settings), temporary / "run", {}), InvalidInput);
}

TEST(Run, StopsWithTheEpochAndTheCauseWhenTrainingDiverges) {
  // Features at the end of float32's range: finite, and no product with them is.
  const TemporaryFolder temporary;
  const LabelledHypergraph benchmark = synthetic_benchmark({});
  const std::int64_t nodes = benchmark.hypergraph.node_count();
  io::Arrays arrays;
  arrays["x"] = io::Array::of(std::vector<float>(nodes, 3e38F), {nodes, 1});
  arrays["y"] =
      io::Array::of(std::vector<std::int64_t>(benchmark.labels.begin(), benchmark.labels.end()), {nodes});
  io::save({.hypergraph = benchmark.hypergraph, .arrays = arrays}, temporary / "data");
  Settings settings = small_settings();
  settings.data = (temporary / "data").string();
  prepare_folder(settings, temporary / "run", false);

  try {
    run(Experiment(settings), temporary / "run", {});
    FAIL() << "training went on with a loss that is not finite";
  } catch (const Failure& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("split 0, epoch 1"));
    EXPECT_THAT(error.what(), testing::HasSubstr("lower lr"));
  }
}

TEST(Predict, RepeatsTheRunsOwnFiguresFromItsWeights) {
  const TemporaryFolder temporary;
  const Settings settings = small_settings();
  prepare_folder(settings, temporary / "run", false);
  const Experiment experiment(settings);
  const RunResult trained = run(experiment, temporary / "run", {});

  const RunResult again = evaluate(experiment, temporary / "run");

  ASSERT_EQ(again.splits.size(), trained.splits.size());
  for (std::size_t s = 0; s < again.splits.size(); ++s) {
    EXPECT_EQ(again.splits[s].test, trained.splits[s].test);
    EXPECT_EQ(again.splits[s].val, trained.splits[s].val);
  }
}

TEST(Predict, WorksOnAnotherHypergraphWithTheSameFeatures) {
  const TemporaryFolder temporary;
  const Settings settings = small_settings({{"epochs", "3"}});
  train_whole(settings, temporary / "run");
  Settings elsewhere = settings;
  elsewhere.data = "synthetic-generated-io30";

  const data::Dataset other = data::open(elsewhere.data, open_options(elsewhere));
  const at::Tensor probabilities = predict(load_model(temporary / "run", 0, elsewhere, other));

  EXPECT_EQ(probabilities.size(0), 500);
  EXPECT_NEAR(probabilities.sum().item<double>(), 500, 1e-9);
}

TEST(Predict, RefusesWeightsThatDoNotFitTheModel) {
  const TemporaryFolder temporary;
  const Settings settings = small_settings({{"epochs", "1"}});
  train_whole(settings, temporary / "run");
  Settings elsewhere = settings;
  elsewhere.set["hidden_width"] = "16";

  const data::Dataset other = data::open(elsewhere.data, open_options(elsewhere));
  try {
    predict(load_model(temporary / "run", 0, elsewhere, other));
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("lift.weight"));
  }
}

TEST(Experiment, SaysWhatIsWrongWithTheOptions) {
  EXPECT_THROW(Experiment(small_settings({{"lrr", "1"}})), UsageError);
  EXPECT_THROW(Experiment(small_settings({{"lr", "-1"}})), UsageError);
  Settings settings = small_settings();
  settings.model = "dhsn";
  EXPECT_THROW(Experiment{settings}, UsageError);
  settings = small_settings();
  settings.device = "tpu";
  EXPECT_THROW(Experiment{settings}, UsageError);
}

TEST(Memory, IsSharedAmongAnnouncedProcesses) {
  EXPECT_EQ(gpu_processes(), 1);
  setenv("DSHN_GPU_PROCESSES", "4", 1);
  EXPECT_EQ(gpu_processes(), 4);
  setenv("DSHN_GPU_PROCESSES", "none", 1);
  EXPECT_THROW(gpu_processes(), UsageError);
  unsetenv("DSHN_GPU_PROCESSES");
}

}  // namespace
}  // namespace dshn::train
