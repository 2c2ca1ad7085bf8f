#include "train/rules.hpp"

#include <torch/torch.h>

#include <chrono>

#include "dshn/models/rules.hpp"
#include "train/checkpoint.hpp"

namespace dshn::train {
namespace {

Confusion confusion_of(const at::Tensor& predicted, const std::vector<Index>& items,
                       const data::Dataset& dataset) {
  Confusion counts(dataset.class_count);
  for (const Index item : items) counts.add(dataset.labels[item], predicted.data_ptr<std::int64_t>()[item]);
  return counts;
}

/// Mean of -log p over the items.
double cross_entropy(const at::Tensor& probabilities, const std::vector<Index>& items,
                     const data::Dataset& dataset) {
  const auto p = probabilities.accessor<double, 2>();
  double sum = 0;
  for (const Index item : items) sum -= std::log(p[item][dataset.labels[item]]);
  return sum / static_cast<double>(items.size());
}

}  // namespace

SplitResult run_rule(const Experiment& experiment, int split, const std::filesystem::path& folder) {
  const auto start = std::chrono::steady_clock::now();
  const torch::NoGradGuard no_grad;
  const std::shared_ptr<models::Model> model = experiment.new_model(split);
  const models::Input& input = experiment.prepared();
  const data::Split& parts = experiment.splits[split];
  dynamic_cast<models::Rule&>(*model).fit(input, experiment.dataset->labels, parts.train);

  SplitResult result;
  result.split = split;
  result.epochs = 1;
  result.best_epoch = 1;
  result.probabilities = model->forward(input, {false, nullptr}).to(at::kDouble).softmax(1).to(at::kCPU);
  const at::Tensor predicted = result.probabilities.argmax(1);
  const auto figure = [&](const std::vector<Index>& items) {
    return confusion_of(predicted, items, *experiment.dataset).metric(experiment.metric);
  };
  result.train = figure(parts.train);
  result.val = figure(parts.val);
  result.val_loss = cross_entropy(result.probabilities, parts.val, *experiment.dataset);
  result.test_confusion = confusion_of(predicted, parts.test, *experiment.dataset);
  result.test = result.test_confusion.metric(experiment.metric);
  const double loss = cross_entropy(result.probabilities, parts.train, *experiment.dataset);
  result.weights = weights_of(*model);
  if (!folder.empty()) {
    std::filesystem::create_directories(folder);
    save_model(folder, split_description(experiment, split), result.weights,
               {{split, 1, loss, result.train, result.val, result.val_loss}});
  }
  result.epoch_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace dshn::train
