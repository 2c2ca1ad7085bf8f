#include "dshn/train/run.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/base/system_memory.hpp"
#include "dshn/base/utf8.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/file_system.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/train/experiment.hpp"
#include "dshn/train/memory_guard.hpp"
#include "dshn/train/predict.hpp"
#include "dshn/train/rank_part.hpp"
#include "dshn/train/run_inputs.hpp"
#include "train/unnamed_settings.hpp"

namespace dshn::train {
namespace {

using nlohmann::ordered_json;

ordered_json split_json(const SplitResult& split) {
  return {{"split", split.split},
          {"test", split.test},
          {"val", split.val},
          {"train", split.train},
          {"val_loss", split.val_loss},
          {"best_epoch", split.best_epoch},
          {"epochs", split.epochs},
          {"epoch_ms", split.epoch_ms},
          {"test_figures", split.test_figures->to_json()}};
}

/// Where all was done before, nobody knows what an epoch has sent.
ordered_json ranks_json(const RunResult& result, const RankPart& part) {
  ordered_json ranks{{"count", part.group->size()}};
  for (const SplitResult& split : result.splits) {
    if (!split.epoch_traffic) continue;
    ranks["epoch_exchanges"] = split.epoch_traffic->exchanges;
    ranks["epoch_bytes"] = split.epoch_traffic->bytes;
  }
  return ranks;
}

std::vector<std::string> class_names(const data::Dataset& dataset) {
  std::vector<std::string> names;
  for (Index c = 0; c < dataset.class_count; ++c) names.push_back(dataset.class_name(c));
  return names;
}

MeanStd over_splits(const std::vector<SplitResult>& splits, double SplitResult::*figure) {
  std::vector<double> values;
  for (const SplitResult& split : splits) values.push_back(split.*figure);
  return mean_std(values);
}

void write_results(const RunResult& result, const Experiment& experiment,
                   const std::filesystem::path& folder) {
  const SplitResult& first = result.splits.at(0);
  if (experiment.part) write_predictions_of_ranks(folder / io::kPredictionsFile, experiment, first);
  if (!writes_files(experiment)) return;
  std::string metrics;
  for (const SplitResult& split : result.splits)
    metrics += io::read_file(io::split_folder(folder, split.split) / io::kMetricsFile);
  io::write_file(folder / io::kMetricsFile, metrics);
  if (!experiment.part)
    write_predictions(folder / io::kPredictionsFile, *experiment.dataset, *experiment.objective(first.split),
                      first.predictions, &experiment.splits[first.split]);
  io::write_file(folder / io::kResultFile, to_json(result, experiment, folder).dump(2) + "\n");
}

/// The splits of a run, in order.
std::vector<SplitJob> jobs_of(const RunRequest& request) {
  std::vector<SplitJob> jobs;
  for (int split = 0; split < static_cast<int>(request.experiment->splits.size()); ++split)
    jobs.push_back({request.experiment, split,
                    request.folder.empty() ? request.folder : io::split_folder(request.folder, split)});
  return jobs;
}

RunResult summary(std::vector<SplitResult> splits, const Experiment& experiment) {
  RunResult result;
  for (const SplitResult& split : splits) {
    if (!split.failure.empty() && result.failure.empty()) result.failure = split.failure;
  }
  if (!result.failure.empty()) return result;
  result.splits = std::move(splits);
  result.test = over_splits(result.splits, &SplitResult::test);
  result.val = over_splits(result.splits, &SplitResult::val);
  result.epoch_ms = over_splits(result.splits, &SplitResult::epoch_ms).mean;
  result.peak_mb = peak_mib();
  for (const at::Tensor& parameter : experiment.new_model(0)->parameters())
    result.parameters += parameter.numel();
  return result;
}

/// The files of a run are in UTF-8, and name its folders.
void require_utf8(const std::string& path) {
  if (const std::size_t at = find_invalid_utf8(path); at != std::string::npos)
    throw UsageError(
        fmt::format("{}: byte {} is not UTF-8, which a run's files need in all names", path, at));
}

}  // namespace

bool holds_run(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / io::kConfigFile) || std::filesystem::exists(folder / io::kAutoFile);
}

void remove_unnamed_settings(const std::filesystem::path& folder) {
  if (holds_run(folder)) return;
  for (const char* file : {io::kConfigFile, io::kAutoFile}) io::remove_stale(folder / file);
}

void make_folder(const std::filesystem::path& folder, bool resume) {
  for (const std::filesystem::path& path : {folder, std::filesystem::absolute(folder)})
    require_utf8(path.string());
  const bool exists = holds_run(folder);
  remove_unnamed_settings(folder);
  if (exists && !resume) {
    throw UsageError(fmt::format("{}: holds a run already", folder.string()), Topic{"run-there"});
  }
  if (!exists && std::filesystem::exists(folder) && !std::filesystem::is_empty(folder)) {
    throw UsageError(fmt::format("{}: is not empty and holds no run", folder.string()),
                     Topic{"folder-taken"});
  }
  io::make_folders(folder);
}

void prepare_folder(const Settings& settings, const std::filesystem::path& folder, bool resume) {
  for (const std::filesystem::path& path :
       {std::filesystem::path(settings.data), std::filesystem::weakly_canonical(settings.data)})
    require_utf8(path.string());
  make_folder(folder, resume);
  const std::filesystem::path config = folder / io::kConfigFile;
  if (!std::filesystem::exists(config)) write_config(settings, config);
}

RunResult run(const Experiment& experiment, const std::filesystem::path& folder, const SplitHooks& hooks,
              const std::vector<int>& only) {
  check_memory(experiment);
  if (!folder.empty() && writes_files(experiment)) remember(experiment, folder);
  std::vector<SplitJob> jobs = jobs_of({&experiment, folder});
  if (!only.empty()) {
    const auto unwanted = [&](const SplitJob& job) {
      return std::find(only.begin(), only.end(), job.split) == only.end();
    };
    jobs.erase(std::remove_if(jobs.begin(), jobs.end(), unwanted), jobs.end());
  }
  RunResult result = summary(run_splits(jobs, hooks), experiment);
  if (only.empty() && !folder.empty()) write_results(result, experiment, folder);
  return result;
}

RunResult run_in_memory(const Experiment& experiment, const SplitHooks& hooks) {
  return run(experiment, {}, hooks);
}

std::vector<RunResult> run_together(const std::vector<RunRequest>& requests, const SplitHooks& hooks) {
  std::vector<SplitJob> jobs;
  for (const RunRequest& request : requests) {
    check_memory(*request.experiment);
    if (!request.folder.empty()) remember(*request.experiment, request.folder);
    for (SplitJob& job : jobs_of(request)) jobs.push_back(std::move(job));
  }
  const std::vector<SplitResult> all = run_splits(jobs, hooks, OnFailure::record);
  std::vector<RunResult> results;
  auto next = all.begin();
  for (const RunRequest& request : requests) {
    const auto end = next + static_cast<std::ptrdiff_t>(request.experiment->splits.size());
    results.push_back(summary({next, end}, *request.experiment));
    if (results.back().failure.empty()) write_results(results.back(), *request.experiment, request.folder);
    next = end;
  }
  return results;
}

ordered_json to_json(const RunResult& result, const Experiment& experiment,
                     const std::filesystem::path& folder) {
  ordered_json splits = ordered_json::array();
  for (const SplitResult& split : result.splits) splits.push_back(split_json(split));
  ordered_json set(experiment.settings.set);
  ordered_json document{
      {"model", experiment.settings.model},
      {"data", experiment.dataset->name},
      {"task", data::task_words(experiment.dataset->task, experiment.dataset->code.target)},
      {"target", data::target_kind_name(experiment.dataset->code.target)},
      {"metric", experiment.metric},
      {"protocol", experiment.protocol},
      {"seed", experiment.settings.seed},
      {"set", set},
      {"preset",
       experiment.settings.preset.empty() ? ordered_json() : ordered_json(experiment.settings.preset)},
      {"class_names", class_names(*experiment.dataset)},
      {"splits", splits},
      {"test", {{"mean", result.test.mean}, {"std", result.test.std}}},
      {"val", {{"mean", result.val.mean}, {"std", result.val.std}}},
      {"parameters", result.parameters},
      {"epoch_ms", result.epoch_ms},
      {"peak_mb", result.peak_mb},
      {"device", experiment.device.str()},
      {"run", folder.string()}};
  if (!result.missing.empty()) document["missing_splits"] = result.missing;
  if (experiment.part) document["ranks"] = ranks_json(result, *experiment.part);
  return document;
}

ordered_json to_json(const RunResult& result, const data::Dataset& dataset, const Settings& settings,
                     const std::filesystem::path& folder) {
  ordered_json splits = ordered_json::array();
  for (const SplitResult& split : result.splits) {
    splits.push_back(
        {{"split", split.split}, {"test", split.test}, {"test_figures", split.test_figures->to_json()}});
  }
  ordered_json document{{"model", settings.model},
                        {"data", dataset.name},
                        {"target", data::target_kind_name(dataset.code.target)},
                        {"metric", metric_name(settings.training(), dataset)},
                        {"items", result.splits.front().test_figures->items()},
                        {"class_names", class_names(dataset)},
                        {"splits", splits},
                        {"test", {{"mean", result.test.mean}, {"std", result.test.std}}},
                        {"run", folder.string()}};
  if (!result.missing.empty()) document["missing_splits"] = result.missing;
  return document;
}

}  // namespace dshn::train
