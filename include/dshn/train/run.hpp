#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "dshn/train/split_run.hpp"

namespace dshn::train {

/// Everything a run came to; what result.json and `dshn train --json` print.
struct RunResult {
  std::vector<SplitResult> splits;
  MeanStd test;
  MeanStd val;
  std::int64_t parameters = 0;
  double epoch_ms = 0;
  double peak_mb = 0;
  std::string failure;  // why there are no figures; empty: there are
};

/// An experiment and the folder that its run goes to.
struct RunRequest {
  const Experiment* experiment;
  std::filesystem::path folder;
};

/// Trains all splits into a run folder and writes config.toml first, and metrics.jsonl,
/// result.json and predictions.csv (first split) at the end. With what an earlier, killed run left in the
/// folder, it goes on. `only` restricts the work to some splits and then writes no result: for processes that
/// share a run.
RunResult run(const Experiment& experiment, const std::filesystem::path& folder, const SplitHooks& hooks,
              const std::vector<int>& only = {});

/// Several runs at once: on a GPU the splits of all of them share the card. A run of which a split diverges
/// has its failure set, no figures and no result.json; the others go on.
std::vector<RunResult> run_together(const std::vector<RunRequest>& requests, const SplitHooks& hooks);

/// A folder can be trained into when it does not exist, is empty, or holds the same run and `resume` is set.
/// UsageError otherwise.
void prepare_folder(const Settings& settings, const std::filesystem::path& folder, bool resume);

std::filesystem::path split_folder(const std::filesystem::path& run, int split);

/// The document that design interfaces promise, with more keys beside.
nlohmann::ordered_json to_json(const RunResult& result, const Experiment& experiment,
                               const std::filesystem::path& folder);

}  // namespace dshn::train
