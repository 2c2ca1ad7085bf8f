#include "dshn/train/predict.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/train/experiment.hpp"
#include "dshn/train/run_inputs.hpp"
#include "train/checkpoint.hpp"

namespace dshn::train {
namespace {

/// As many as the run was asked for; of a run of version 0.1, which did not say, those that have a folder.
int split_count(const std::filesystem::path& run) {
  if (const auto inputs = read_inputs(run)) return static_cast<int>(inputs->split_digests.size());
  int count = 0;
  while (std::filesystem::exists(io::split_folder(run, count))) ++count;
  return count;
}

/// Calls visit(split) for those of the splits whose weights are stored, and returns the others.
template <typename Visit>
std::vector<int> for_each_stored(const std::filesystem::path& run, int splits, Visit visit) {
  std::vector<int> missing;
  for (int split = 0; split < splits; ++split) {
    if (std::filesystem::exists(io::split_folder(run, split) / io::kModelFile))
      visit(split);
    else
      missing.push_back(split);
  }
  if (static_cast<int>(missing.size()) == splits)
    throw InvalidInput(fmt::format("{}: holds no trained split", run.string()));
  return missing;
}

MeanStd mean_of(const std::vector<SplitResult>& splits, double SplitResult::*figure) {
  std::vector<double> values;
  for (const SplitResult& split : splits) values.push_back(split.*figure);
  return mean_std(values);
}

}  // namespace

at::Tensor predict(const LoadedModel& loaded) {
  const torch::NoGradGuard no_grad;
  return loaded.objective->predictions(loaded.model->forward(loaded.input, {false, nullptr})).to(at::kCPU);
}

at::Tensor embeddings(const LoadedModel& loaded) {
  const torch::NoGradGuard no_grad;
  const nn::Step evaluation{false, nullptr};
  at::Tensor rows = loaded.model->represent(loaded.input, evaluation);
  if (!rows.defined()) rows = loaded.model->forward(loaded.input, evaluation);
  return rows.to(at::kCPU, at::kFloat).contiguous();
}

RunResult evaluate(const Experiment& experiment, const std::filesystem::path& run) {
  if (read_inputs(run)) remember(experiment, run);
  RunResult result;
  result.missing = for_each_stored(run, static_cast<int>(experiment.splits.size()), [&](int split) {
    SplitResult figures = best_of_records(io::split_folder(run, split), find_metric(experiment.metric));
    const LoadedModel loaded = load_model(run, split, experiment);
    figures.predictions = predict(loaded);
    const at::Tensor decisions = loaded.objective->decisions(figures.predictions);
    const auto over = [&](const std::vector<Index>& items) {
      return loaded.objective->figures(*experiment.dataset, items, decisions);
    };
    figures.test_figures = over(experiment.splits[split].test);
    figures.test = figures.test_figures->metric(experiment.metric);
    figures.val = over(experiment.splits[split].val)->metric(experiment.metric);
    figures.train = over(experiment.splits[split].train)->metric(experiment.metric);
    result.splits.push_back(figures);
  });
  result.test = mean_of(result.splits, &SplitResult::test);
  result.val = mean_of(result.splits, &SplitResult::val);
  return result;
}

std::shared_ptr<const Figures> figures_on(const data::Dataset& dataset, const Objective& objective,
                                          const at::Tensor& predictions) {
  std::vector<Index> known;
  for (Index item = 0; item < dataset.item_count(); ++item)
    if (dataset.is_known(item)) known.push_back(item);
  if (known.empty()) {
    throw InvalidInput(
        fmt::format("{}: no {} has a label to compare with", dataset.name, item_word(dataset.task)));
  }
  return objective.figures(dataset, known, objective.decisions(predictions));
}

RunResult evaluate_on(const std::filesystem::path& run, const Settings& settings,
                      const data::Dataset& dataset) {
  const std::string metric = metric_name(settings.training(), dataset);
  RunResult result;
  result.missing = for_each_stored(run, split_count(run), [&](int split) {
    SplitResult figures;
    figures.split = split;
    const LoadedModel loaded = load_model(run, split, settings, dataset);
    figures.predictions = predict(loaded);
    figures.test_figures = figures_on(dataset, *loaded.objective, figures.predictions);
    figures.test = figures.test_figures->metric(metric);
    result.splits.push_back(figures);
  });
  result.test = mean_of(result.splits, &SplitResult::test);
  return result;
}

}  // namespace dshn::train
