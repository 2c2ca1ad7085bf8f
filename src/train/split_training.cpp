#include "train/split_training.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <cmath>
#include <functional>

#include "dshn/io/atomic_file.hpp"
#include "dshn/io/file_system.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/train/rank_part.hpp"
#include "train/batch_epoch.hpp"
#include "train/best_epoch.hpp"
#include "train/epoch_step.hpp"

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

SplitTraining::SplitTraining(const Experiment& experiment, int split, std::filesystem::path folder)
    : experiment_(experiment),
      split_(split),
      folder_(std::move(folder)),
      objective_(experiment.objective(split)),
      model_(experiment.new_model(split)),
      adam_(*model_, experiment.training.real("lr"), experiment.training.real("weight_decay"),
            [this](const std::string& parameter) { return model_->decays(parameter); }),
      epoch_(new_epoch()) {
  if (folder_.empty()) return;
  if (writes_files(experiment_)) {
    io::make_folders(folder_);
    // A split that is done writes none of these again.
    for (const char* file : {io::kMetricsFile, io::kModelFile, io::kStateFile})
      io::remove_stale(folder_ / file);
  }
  if (load_checkpoint(folder_, description(), adam_, epoch_->steps(), state_) && part())
    state_.best.predictions = part()->rows_here(state_.best.predictions);
}

std::unique_ptr<Epoch> SplitTraining::new_epoch() {
  nn::MaskStream masks(experiment_.settings.seed * 7919 + static_cast<std::uint64_t>(split_),
                       experiment_.device);
  if (const auto batches = batch_options(experiment_.settings))
    return std::make_unique<BatchEpoch>(model_, experiment_, split_, *batches, targets(), adam_,
                                        std::move(masks));
  return std::make_unique<EpochStep>(model_, experiment_.prepared(), targets(), adam_, std::move(masks),
                                     experiment_.training.flag("cuda_graph"));
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
  if (part()) sent_before_ = *part()->traffic;
  naming_a_full_card(experiment_.device, fmt::format("split {}, epoch {}", split_, state_.epoch),
                     [&] { epoch_->start(state_.epoch); });
}

EpochRecord SplitTraining::finish() {
  EpochNumbers numbers = epoch_->finish();
  if (part()) {
    const at::Tensor losses = torch::tensor({numbers.loss, numbers.val_loss}, torch::kDouble);
    part()->group->sum(losses);
    numbers.loss = losses[0].item<double>();
    numbers.val_loss = losses[1].item<double>();
    sent_ = {part()->traffic->exchanges - sent_before_.exchanges, part()->traffic->bytes - sent_before_.bytes,
             part()->traffic->widest};
  }
  if (!std::isfinite(numbers.loss)) report_divergence(numbers.loss);
  const EpochRecord record{split_,
                           state_.epoch,
                           numbers.loss,
                           figure(parts().train, numbers.decisions),
                           figure(parts().val, numbers.decisions),
                           numbers.val_loss};
  if (is_better(record, state_.best, find_metric(experiment_.metric))) keep(record);
  state_.records.push_back(record);
  state_.done = is_over(state_.epoch, state_.best.best_epoch, experiment_.training);
  return record;
}

void SplitTraining::save() {
  epoch_->queue().wait();
  if (best_.defined()) state_.best_weights = adam_.weights_at(best_);
  if (folder_.empty()) return;
  if (!part()) return save_checkpoint(folder_, description(), adam_, state_);
  SplitState all = state_;
  all.best.predictions = part()->whole_rows(state_.best.predictions);
  if (writes_files(experiment_)) save_checkpoint(folder_, description(), adam_, all);
}

SplitResult SplitTraining::result() {
  epoch_->queue().wait();
  SplitResult result = state_.best;
  result.split = split_;
  result.epochs = state_.epoch;
  result.steady_val = steady_val(state_.records, result.best_epoch);
  result.predictions = result.predictions.to(at::kCPU);
  for (const auto& [name, tensor] : state_.best_weights) result.weights[name] = tensor.to(at::kCPU);
  result.test_figures = figures(parts().test, objective_->decisions(result.predictions));
  result.test = result.test_figures->metric(experiment_.metric);
  result.epoch_ms = 1000 * state_.seconds / state_.epoch;
  if (sent_) result.epoch_traffic = of_all_ranks(*sent_);
  return result;
}

ranks::Traffic SplitTraining::of_all_ranks(const ranks::Traffic& mine) const {
  ranks::Traffic all = mine;  // they have as many exchanges, of rows as wide
  const at::Tensor bytes = at::full({1}, mine.bytes, at::kLong);
  part()->group->sum(bytes);
  all.bytes = bytes.item<std::int64_t>();
  return all;
}

/// The epoch just finished is the best so far.
void SplitTraining::keep(const EpochRecord& record) {
  state_.best.best_epoch = record.epoch;
  state_.best.train = record.train;
  state_.best.val = record.val;
  state_.best.val_loss = record.val_loss;
  epoch_->queue().once([&] {
    const torch::NoGradGuard no_grad;
    state_.best.predictions = objective_->predictions(epoch_->logits());
    best_ = adam_.parameters().clone();
  });
}

std::unique_ptr<Figures> SplitTraining::figures(const std::vector<Index>& items,
                                                const at::Tensor& decisions) const {
  const data::Dataset& dataset = *experiment_.dataset;
  std::unique_ptr<Figures> mine = objective_->figures(dataset, items, decisions);
  return part() ? part()->together(objective_->figures(dataset, {}, decisions), *mine) : std::move(mine);
}

double SplitTraining::figure(const std::vector<Index>& items, const at::Tensor& decisions) const {
  return figures(items, decisions)->metric(experiment_.metric);
}

EpochTargets SplitTraining::targets() const {
  const data::Dataset& dataset = *experiment_.dataset;
  const at::TensorOptions like(
      at::TensorOptions(experiment_.input.x.scalar_type()).device(experiment_.device));
  const bool weighs = experiment_.training.flag("class_weights");
  EpochTargets targets{objective_,
                       index_tensor(parts().train, experiment_.device),
                       objective_->targets(dataset, parts().train, like),
                       index_tensor(parts().val, experiment_.device),
                       objective_->targets(dataset, parts().val, like),
                       {}};
  const auto of_all = [&](const at::Tensor& mine) {
    return part() ? at::cat(part()->group->all(mine)) : mine;
  };
  if (weighs) targets.weights = objective_->weights(of_all(targets.train_targets), like);
  if (!part()) return targets;
  const auto share = [&](const at::Tensor& mine, const at::Tensor& weights) {
    const double weight = objective_->weight_of(mine, weights);
    return weight / part()->sum(weight);
  };
  targets.ranks = part()->group.get();
  targets.train_share = share(targets.train_targets, targets.weights);
  targets.val_share = share(targets.val_targets, {});
  return targets;
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
