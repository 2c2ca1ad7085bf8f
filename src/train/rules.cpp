#include "train/rules.hpp"

#include <torch/torch.h>

#include <chrono>

#include "dshn/io/file_system.hpp"
#include "dshn/models/rules.hpp"
#include "train/checkpoint.hpp"

namespace dshn::train {
namespace {

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
  const std::shared_ptr<const Objective> objective = experiment.objective(split);
  result.predictions = objective->predictions(model->forward(input, {false, nullptr})).to(at::kCPU);
  const at::Tensor decisions = objective->decisions(result.predictions);
  const auto figure = [&](const std::vector<Index>& items) {
    return objective->figures(*experiment.dataset, items, decisions)->metric(experiment.metric);
  };
  result.train = figure(parts.train);
  result.val = figure(parts.val);
  result.steady_val = result.val;
  result.val_loss = cross_entropy(result.predictions, parts.val, *experiment.dataset);
  result.test_figures = objective->figures(*experiment.dataset, parts.test, decisions);
  result.test = result.test_figures->metric(experiment.metric);
  const double loss = cross_entropy(result.predictions, parts.train, *experiment.dataset);
  result.weights = weights_of(*model);
  if (!folder.empty()) {
    io::make_folders(folder);
    save_model(folder, split_description(experiment, split), result.weights,
               {{split, 1, loss, result.train, result.val, result.val_loss}});
  }
  result.epoch_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace dshn::train
