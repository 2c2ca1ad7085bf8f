#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "dshn/train/split_run.hpp"

namespace dshn::train {

/// Everything a run came to.
struct RunResult {
  std::vector<SplitResult> splits;
  MeanStd test;
  MeanStd val;
  std::int64_t parameters = 0;
  double epoch_ms = 0;
  double peak_mb = 0;
  std::string failure;  // why there are no figures; empty: there are
  /// Splits whose weights are gone, which the figures of an evaluation leave out.
  std::vector<int> missing;
};

/// An experiment and the folder that its run goes to.
struct RunRequest {
  const Experiment* experiment;
  std::filesystem::path folder;
};

/// Trains all splits into a folder that prepare_folder has made, and goes on from what an earlier, killed run
/// left there. At the end it writes metrics.jsonl, predictions.csv (first split) and, last, result.json.
/// `only` restricts the work to some splits and writes none of the three: for processes that share a run.
RunResult run(const Experiment& experiment, const std::filesystem::path& folder, const SplitHooks& hooks,
              const std::vector<int>& only = {});

/// Trains all splits and leaves no file: results, probabilities and weights are in what it returns.
RunResult run_in_memory(const Experiment& experiment, const SplitHooks& hooks = {});

/// The model of one split of such a result, ready for experiment.prepared() or another input's prepare().
std::shared_ptr<models::Model> trained_model(const Experiment& experiment, const SplitResult& split);

/// Several runs at once: on a GPU the splits of all of them share the card. A run of which a split diverges
/// has its failure set, no figures and no result.json; the others go on.
std::vector<RunResult> run_together(const std::vector<RunRequest>& requests, const SplitHooks& hooks);

/// Whether there is a run in the folder, or the beginning of one: a configuration, or a search for one.
bool holds_run(const std::filesystem::path& folder);

/// Makes the folder. UsageError where it holds a run already and `resume` is not set, or holds something else.
void make_folder(const std::filesystem::path& folder, bool resume);

/// The same, and writes config.toml into it where there is none. Whether a run to go on with is the same one is checked when
/// its splits are read.
void prepare_folder(const Settings& settings, const std::filesystem::path& folder, bool resume);

/// Makes room for a new run where there is one: removes the files of a run and nothing else. UsageError, before
/// anything is removed, where the folder holds no run or something beside it. No folder, or an empty one, is
/// left as it is.
void remove_run(const std::filesystem::path& folder);

/// What result.json holds and `dshn train --json` prints.
nlohmann::ordered_json to_json(const RunResult& result, const Experiment& experiment,
                               const std::filesystem::path& folder);

/// What `dshn evaluate --data` prints of models that were used on another data set.
nlohmann::ordered_json to_json(const RunResult& result, const data::Dataset& dataset,
                               const Settings& settings, const std::filesystem::path& folder);

}  // namespace dshn::train
