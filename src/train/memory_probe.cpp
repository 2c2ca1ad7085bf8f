#include "train/memory_probe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "dshn/nn/recompute.hpp"
#include "train/batch_epoch.hpp"
#include "train/rules.hpp"
#include "train/small_experiment.hpp"
#include "train/split_training.hpp"
#include "train/tensor_ledger.hpp"

namespace dshn::train {
namespace {

/// The larger of the two probes has so many nodes, hyperedges and incidences, more nodes where features are wide and
/// dense, and not more numbers in them than this. Gradients of wide layers are summed from pieces, whose number grows
/// with the rows up to a bound: the smaller probe has to be past it.
constexpr double kProbeSize = 4000;
constexpr double kMostNodes = 2000;
constexpr double kEnoughEntries = 6'500'000;
constexpr double kMostEntries = 8'000'000;

/// Outputs, predictions and decisions of each item, of this epoch and of the best one.
constexpr double kOutputBytes = 4 + 8 + 8 + 8;

/// The bytes that were held at each change, by section of a training.
using Sections = std::vector<std::vector<std::int64_t>>;

Sections trained_once(const Experiment& experiment, bool prepared) {
  constexpr int kEpochs = 2;  // the second has what the first leaves: moments, the best weights so far
  if (prepared) experiment.prepared();
  Sections sections;
  TensorLedger ledger;
  experiment.prepared();
  sections.push_back(ledger.take());
  if (models::find_model(experiment.settings.model).is_rule) {
    run_rule(experiment, 0, {});
    sections.push_back(ledger.take());
    return sections;
  }
  SplitTraining training(experiment, 0, {});
  sections.push_back(ledger.take());
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    training.start();
    sections.push_back(ledger.take());
    training.finish();
    sections.push_back(ledger.take());
  }
  training.save();
  const SplitResult result = training.result();
  sections.push_back(ledger.take());
  return sections;
}

/// An evaluation of all items at once.
Sections evaluated_once(const Experiment& experiment, bool prepared) {
  if (prepared) experiment.prepared();
  TensorLedger ledger;
  experiment.prepared();
  const std::shared_ptr<models::Model> model = experiment.new_model(0);
  model->eval();
  Sections sections{ledger.take()};
  const torch::NoGradGuard no_grad;
  const at::Tensor outputs = model->forward(experiment.prepared(), {false, nullptr});
  const at::Tensor predictions = experiment.objective(0)->predictions(outputs);
  sections.push_back(ledger.take());
  return sections;
}

using Trial = Sections (*)(const Experiment& experiment, bool prepared);

std::vector<std::int64_t> most_of(const std::vector<std::int64_t>& held) {
  return {*std::max_element(held.begin(), held.end())};
}

/// The highest of the lines through the bytes at half and at all of one `divisor`-th of the data, where all of it is.
double highest(std::vector<std::int64_t> half, std::vector<std::int64_t> whole, double divisor) {
  // Where both have taken the same steps, each moment has a line of its own.
  if (half.size() != whole.size()) {
    half = most_of(half);
    whole = most_of(whole);
  }
  double most = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const auto growth = static_cast<double>(whole[i] - half[i]);
    most = std::max(most, static_cast<double>(whole[i]) + 2 * (divisor - 1) * growth);
  }
  return most;
}

/// All that the probes of an experiment are made of: where it is the same, so is what they measure.
std::string shape_of(const Experiment& experiment, const Extent& extent, bool prepared) {
  Assignments options = experiment.settings.all_options();
  for (const char* const idle : {"epochs", "lr", "patience", "weight_decay"}) options.erase(idle);
  const data::Dataset& dataset = *experiment.dataset;
  const Hypergraph& h = dataset.hypergraph;
  const nn::FeatureRows& x = experiment.input.x;
  const at::Tensor& edge_x = experiment.input.edge_x;
  const data::Split& split = experiment.splits.at(0);
  Index directed = 0;
  for (Index e = 0; e < h.edge_count(); ++e) directed += h.is_directed(e) ? 1 : 0;
  return fmt::format(
      "{} {} {} {} | {} {} {} | {} {} {} {} {} {} | {} {} {} {} {} | {} {} {} {} | {} {} {} {}",
      experiment.settings.model, options, experiment.settings.old_defaults, prepared, extent.nodes,
      extent.hyperedges, extent.incidences, h.node_count(), h.edge_count(), h.incidence_count(), directed,
      h.weighted(), h.has_incidence_weights(), x.size(0), x.size(1), x.entries(), x.sparse(),
      edge_x.defined() ? edge_x.size(1) : 0, static_cast<int>(dataset.task), dataset.class_count,
      static_cast<int>(dataset.code.target), dataset.labels.empty(), split.train.size(), split.val.size(),
      split.test.size(), experiment.saves_memory());
}

double measured_bytes(const Experiment& experiment, const Extent& extent, bool prepared, Trial trial) {
  const double divisor = probe_divisor(experiment, extent);
  // As many blocks of rows as there will be, of rows enough to be quick.
  constexpr double kLeastRows = 64;
  const nn::RowBlockSize block(static_cast<std::int64_t>(
      std::max(kLeastRows, static_cast<double>(nn::RowBlockSize::now()) / divisor)));
  const Sections half = trial(made_like(experiment, extent / (2 * divisor)), prepared);
  const Sections whole = trial(made_like(experiment, extent / divisor), prepared);
  double most = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) most = std::max(most, highest(half[i], whole[i], divisor));
  return kHeapGaps * most;
}

/// All options are part of the shape, so that one of them decides which trial it is.
double known_or_measured(const Experiment& experiment, const Extent& extent, bool prepared, Trial trial) {
  static std::mutex mutex;
  static std::map<std::string, double> known;
  const std::string shape = shape_of(experiment, extent, prepared);
  const std::lock_guard lock(mutex);
  const auto found = known.find(shape);
  if (found != known.end()) return found->second;
  return known.emplace(shape, measured_bytes(experiment, extent, prepared, trial)).first->second;
}

/// A step on the first batch, and the batches that threads have ready meanwhile.
double bytes_of_batches(const Experiment& experiment, const BatchOptions& options) {
  TensorLedger ledger;
  const std::shared_ptr<models::Model> model = experiment.new_model(0);
  FlatAdam adam(*model, 0, 0, {});
  const Batches batches(experiment, 0, options);
  const std::shared_ptr<const Objective> objective = experiment.objective(0);
  const std::int64_t before = most_of(ledger.take()).front();
  const Batch batch = batches.first();
  const double made = static_cast<double>(most_of(ledger.take()).front() - before) +
                      static_cast<double>(batch.input.hypergraph.memory_bytes());
  nn::MaskStream masks;
  model->train();
  differentiate(*model, batch, experiment, *objective, {}, masks);
  adam.take_gradients();
  adam.step();
  const auto step = static_cast<double>(most_of(ledger.take()).front());
  return kHeapGaps * (step + made * static_cast<double>(Batches::ahead())) + batches.table_bytes();
}

}  // namespace

double probe_divisor(const Experiment& experiment, const Extent& extent) {
  const nn::FeatureRows& x = experiment.input.x;
  double divisor = size_of(extent) / kProbeSize;
  if (!x.sparse() && !models::find_model(experiment.settings.model).is_rule) {
    const double nodes = std::min(kMostNodes, kEnoughEntries / static_cast<double>(x.size(1)));
    divisor = std::min(divisor, extent.nodes / nodes);
  }
  const auto rows = static_cast<double>(std::max<std::int64_t>(x.size(0), 1));
  return std::max({1.0, divisor, extent.nodes * static_cast<double>(x.entries()) / rows / kMostEntries});
}

double probed_bytes(const Experiment& experiment) {
  const Extent extent = extent_of(experiment.dataset->hypergraph);
  const auto batches = batch_options(experiment.settings);
  if (!batches) return known_or_measured(experiment, extent, experiment.is_prepared(), trained_once);
  const double evaluation =
      batches->exact_evaluation
          ? known_or_measured(experiment, extent, experiment.is_prepared(), evaluated_once)
          : kOutputBytes * static_cast<double>(experiment.dataset->item_count() * experiment.sizes.classes);
  return bytes_of_batches(experiment, *batches) + evaluation;
}

double probed_bytes(const Experiment& experiment, const Extent& extent) {
  return known_or_measured(experiment, extent, /*prepared=*/false, trained_once);
}

}  // namespace dshn::train
