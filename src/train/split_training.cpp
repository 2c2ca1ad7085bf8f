#include "train/split_training.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <cmath>
#include <functional>

#include "train/best_epoch.hpp"

namespace dshn::train {
namespace {

at::Tensor index_tensor(const std::vector<Index>& items, const at::Device& device) {
  return torch::tensor(std::vector<std::int64_t>(items.begin(), items.end()), torch::kLong).to(device);
}

/// See SplitResult::steady_val.
double steady_val(const std::vector<EpochRecord>& records, int best_epoch) {
  constexpr int kWindow = 10;
  double sum = 0;
  int count = 0;
  for (const EpochRecord& record : records) {
    if (std::abs(record.epoch - best_epoch) > kWindow) continue;
    sum += record.val;
    ++count;
  }
  return sum / count;
}

/// DeviceFull instead of libtorch's error where that is one.
void naming_a_full_card(const at::Device& device, const std::string& where,
                        const std::function<void()>& work) {
  const std::int64_t full = DeviceQueue::times_full(device);
  try {
    work();
  } catch (const c10::Error&) {
    if (DeviceQueue::times_full(device) == full) throw;
    throw DeviceFull(
        fmt::format("{}: the memory of {} is full; end other programs on it, or use a smaller model", where,
                    device.str()),
        Topic{"device-full"});
  }
}

}  // namespace

at::Tensor inverse_frequencies(const at::Tensor& labels, std::int64_t classes) {
  const at::Tensor counts = torch::bincount(labels, {}, classes).to(at::kDouble);
  const at::Tensor weights = torch::where(counts > 0, counts.reciprocal(), torch::zeros_like(counts));
  return weights * static_cast<double>(classes) / weights.sum();
}

Part::Part(const std::vector<Index>& given, const std::vector<Index>& all_labels, const at::Device& device)
    : members(given), items(index_tensor(given, device)) {
  for (const Index item : given) truth.push_back(all_labels[item]);
  labels = index_tensor(truth, device);
}

Confusion Part::confusion(const at::Tensor& predicted, std::int64_t classes) const {
  const auto* of_item = predicted.data_ptr<std::int64_t>();
  Confusion result(classes);
  for (std::size_t i = 0; i < members.size(); ++i) result.add(truth[i], of_item[members[i]]);
  return result;
}

SplitTraining::SplitTraining(const Experiment& experiment, int split, std::filesystem::path folder)
    : experiment_(experiment),
      split_(split),
      folder_(std::move(folder)),
      classes_(experiment.dataset->class_count),
      train_(experiment.splits[split].train, experiment.dataset->labels, experiment.device),
      val_(experiment.splits[split].val, experiment.dataset->labels, experiment.device),
      test_(experiment.splits[split].test, experiment.dataset->labels, experiment.device),
      model_(experiment.new_model(split)),
      adam_(*model_, experiment.training.real("lr"), experiment.training.real("weight_decay"),
            [this](const std::string& parameter) { return model_->decays(parameter); }),
      epoch_(model_, experiment.prepared(), targets(), adam_,
             nn::MaskStream(experiment.settings.seed * 7919 + static_cast<std::uint64_t>(split),
                            experiment.device),
             experiment.training.flag("cuda_graph")) {
  if (folder_.empty()) return;
  std::filesystem::create_directories(folder_);
  load_checkpoint(folder_, description(), adam_, state_);
}

std::unique_ptr<SplitTraining> SplitTraining::begin(const Experiment& experiment, int split,
                                                    const std::filesystem::path& folder) {
  std::unique_ptr<SplitTraining> training;
  naming_a_full_card(experiment.device, fmt::format("split {}", split),
                     [&] { training = std::make_unique<SplitTraining>(experiment, split, folder); });
  return training;
}

void SplitTraining::start() {
  ++state_.epoch;
  naming_a_full_card(experiment_.device, fmt::format("split {}, epoch {}", split_, state_.epoch),
                     [&] { epoch_.start(state_.epoch); });
}

EpochRecord SplitTraining::finish() {
  const EpochNumbers numbers = epoch_.finish();
  if (!std::isfinite(numbers.loss)) report_divergence(numbers.loss);
  const std::string& metric = experiment_.metric;
  const EpochRecord record{split_,
                           state_.epoch,
                           numbers.loss,
                           train_.confusion(numbers.predicted, classes_).metric(metric),
                           val_.confusion(numbers.predicted, classes_).metric(metric),
                           numbers.val_loss};
  if (is_better(record, state_.best)) keep(record);
  state_.records.push_back(record);
  state_.done = is_over(state_.epoch, state_.best.best_epoch, experiment_.training);
  return record;
}

void SplitTraining::save() {
  epoch_.queue().wait();
  if (best_.defined()) state_.best_weights = adam_.weights_at(best_);
  if (!folder_.empty()) save_checkpoint(folder_, description(), adam_, state_);
}

SplitResult SplitTraining::result() {
  epoch_.queue().wait();
  SplitResult result = state_.best;
  result.split = split_;
  result.epochs = state_.epoch;
  result.steady_val = steady_val(state_.records, result.best_epoch);
  result.probabilities = result.probabilities.to(at::kCPU);
  for (const auto& [name, tensor] : state_.best_weights) result.weights[name] = tensor.to(at::kCPU);
  result.test_confusion = test_.confusion(result.probabilities.argmax(1), classes_);
  result.test = result.test_confusion.metric(experiment_.metric);
  result.epoch_ms = 1000 * state_.seconds / state_.epoch;
  return result;
}

/// The epoch just finished is the best so far.
void SplitTraining::keep(const EpochRecord& record) {
  state_.best.best_epoch = record.epoch;
  state_.best.train = record.train;
  state_.best.val = record.val;
  state_.best.val_loss = record.val_loss;
  epoch_.queue().once([&] {
    const torch::NoGradGuard no_grad;
    state_.best.probabilities = epoch_.logits().to(at::kDouble).softmax(1);
    best_ = adam_.parameters().clone();
  });
}

EpochTargets SplitTraining::targets() const {
  return {train_.items, train_.labels, val_.items, val_.labels,
          experiment_.training.flag("class_weights")
              ? inverse_frequencies(train_.labels, classes_).to(experiment_.input.x.scalar_type())
              : at::Tensor()};
}

void SplitTraining::report_divergence(double loss_value) const {
  std::string cause = "the loss itself";
  for (const auto& parameter : model_->named_parameters()) {
    if (parameter.value().isfinite().all().item<bool>()) continue;
    cause = "parameter " + parameter.key();
    break;
  }
  throw Failure(fmt::format(
      "split {}, epoch {}: training diverged, the loss is {} (first seen in {}); lower lr (now {})", split_,
      state_.epoch, loss_value, cause, experiment_.training.text("lr")));
}

}  // namespace dshn::train
