#include "dshn/train/predict.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/train/run_inputs.hpp"
#include "train/checkpoint.hpp"

namespace dshn::train {
namespace {

/// Counts over some items; a class that the model does not know would have no place.
Confusion confusion_over(const std::vector<Index>& items, const at::Tensor& probabilities,
                         const data::Dataset& dataset) {
  Confusion counts(probabilities.size(1));
  const at::Tensor predicted = probabilities.argmax(1);
  for (const Index item : items) {
    const Index label = dataset.labels[item];
    if (label >= counts.classes()) {
      throw InvalidInput(fmt::format("{}: there is a class {}, but the model knows {} classes", dataset.name,
                                     dataset.class_name(label), counts.classes()));
    }
    counts.add(label, predicted.data_ptr<std::int64_t>()[item]);
  }
  return counts;
}

/// One more than the number of the last split that has a folder.
int split_count(const std::filesystem::path& run) {
  int count = 0;
  while (std::filesystem::exists(io::split_folder(run, count))) ++count;
  return count;
}

/// Calls visit(split) for those of the splits whose weights are stored.
template <typename Visit>
void for_each_stored(const std::filesystem::path& run, int splits, Visit visit) {
  int found = 0;
  for (int split = 0; split < splits; ++split) {
    if (!std::filesystem::exists(io::split_folder(run, split) / io::kModelFile)) continue;
    visit(split);
    ++found;
  }
  if (found == 0) throw InvalidInput(fmt::format("{}: holds no trained split", run.string()));
}

MeanStd mean_of(const std::vector<SplitResult>& splits, double SplitResult::*figure) {
  std::vector<double> values;
  for (const SplitResult& split : splits) values.push_back(split.*figure);
  return mean_std(values);
}

}  // namespace

at::Tensor predict(const LoadedModel& loaded) {
  const torch::NoGradGuard no_grad;
  return loaded.model->forward(loaded.input, {false, nullptr}).to(at::kDouble).softmax(1).to(at::kCPU);
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
  for_each_stored(run, static_cast<int>(experiment.splits.size()), [&](int split) {
    SplitResult figures = best_of_records(io::split_folder(run, split));
    figures.probabilities = predict(load_model(run, split, experiment));
    const auto over = [&](const std::vector<Index>& items) {
      return confusion_over(items, figures.probabilities, *experiment.dataset);
    };
    figures.test_confusion = over(experiment.splits[split].test);
    figures.test = figures.test_confusion.metric(experiment.metric);
    figures.val = over(experiment.splits[split].val).metric(experiment.metric);
    figures.train = over(experiment.splits[split].train).metric(experiment.metric);
    result.splits.push_back(figures);
  });
  result.test = mean_of(result.splits, &SplitResult::test);
  result.val = mean_of(result.splits, &SplitResult::val);
  return result;
}

Confusion confusion_on(const data::Dataset& dataset, const at::Tensor& probabilities) {
  std::vector<Index> labelled;
  for (std::size_t i = 0; i < dataset.labels.size(); ++i) {
    if (dataset.labels[i] >= 0) labelled.push_back(static_cast<Index>(i));
  }
  if (labelled.empty()) {
    throw InvalidInput(
        fmt::format("{}: no {} has a label to compare with", dataset.name, item_word(dataset.task)));
  }
  return confusion_over(labelled, probabilities, dataset);
}

RunResult evaluate_on(const std::filesystem::path& run, const Settings& settings,
                      const data::Dataset& dataset) {
  const std::string metric = metric_name(settings.training(), dataset.task);
  RunResult result;
  for_each_stored(run, split_count(run), [&](int split) {
    SplitResult figures;
    figures.split = split;
    figures.probabilities = predict(load_model(run, split, settings, dataset));
    figures.test_confusion = confusion_on(dataset, figures.probabilities);
    figures.test = figures.test_confusion.metric(metric);
    result.splits.push_back(figures);
  });
  result.test = mean_of(result.splits, &SplitResult::test);
  return result;
}

}  // namespace dshn::train
