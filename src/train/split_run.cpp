#include "dshn/train/split_run.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>

#include "dshn/hypergraph/error.hpp"
#include "dshn/train/memory.hpp"
#include "train/checkpoint.hpp"
#include "train/epoch_step.hpp"
#include "train/rules.hpp"

namespace dshn::train {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

at::Tensor index_tensor(const std::vector<Index>& items, const at::Device& device) {
  return torch::tensor(std::vector<std::int64_t>(items.begin(), items.end()), torch::kLong).to(device);
}

/// One part of a split, on the device for the losses and here for the counting.
struct Part {
  std::vector<Index> members;
  std::vector<Index> truth;
  at::Tensor items;
  at::Tensor labels;

  Part(const std::vector<Index>& given, const std::vector<Index>& all_labels, const at::Device& device)
      : members(given), items(index_tensor(given, device)) {
    for (const Index item : given) truth.push_back(all_labels[item]);
    labels = index_tensor(truth, device);
  }

  /// predicted: the class of every item, on the CPU.
  Confusion confusion(const at::Tensor& predicted, std::int64_t classes) const {
    const auto* of_item = predicted.data_ptr<std::int64_t>();
    Confusion result(classes);
    for (std::size_t i = 0; i < members.size(); ++i) result.add(truth[i], of_item[members[i]]);
    return result;
  }
};

/// Training of one split, epoch by epoch, and what of it a checkpoint must know.
class SplitTraining {
 public:
  SplitTraining(const Experiment& experiment, int split, std::filesystem::path folder)
      : experiment_(experiment),
        split_(split),
        folder_(std::move(folder)),
        classes_(experiment.dataset.class_count),
        train_(experiment.splits[split].train, experiment.dataset.labels, experiment.device),
        val_(experiment.splits[split].val, experiment.dataset.labels, experiment.device),
        test_(experiment.splits[split].test, experiment.dataset.labels, experiment.device),
        model_(experiment.new_model(split)),
        adam_(*model_, experiment.training.real("lr"), experiment.training.real("weight_decay")),
        epoch_(model_, model_->prepare(experiment.input), targets(), adam_,
               nn::MaskStream(experiment.settings.seed * 7919 + static_cast<std::uint64_t>(split),
                              experiment.device),
               experiment.training.flag("cuda_graph")) {
    std::filesystem::create_directories(folder_);
    load_checkpoint(folder_, description(), adam_, state_);
  }

  int split() const { return split_; }
  int epoch() const { return state_.epoch; }
  bool done() const { return state_.done; }

  /// Queues an epoch; finish waits for it. Several trainings that are started before the first is finished
  /// share the device.
  void start() {
    ++state_.epoch;
    epoch_.start(state_.epoch);
  }

  EpochRecord finish() {
    const EpochNumbers numbers = epoch_.finish();
    if (!std::isfinite(numbers.loss)) report_divergence(numbers.loss);
    const std::string& metric = experiment_.metric;
    const EpochRecord record{split_,
                             state_.epoch,
                             numbers.loss,
                             train_.confusion(numbers.predicted, classes_).metric(metric),
                             val_.confusion(numbers.predicted, classes_).metric(metric),
                             numbers.val_loss};
    const SplitResult& best = state_.best;
    if (best.best_epoch == 0 || record.val > best.val ||
        (record.val == best.val && record.val_loss < best.val_loss))
      keep(record);
    state_.records.push_back(record);
    state_.done = state_.epoch >= experiment_.training.integer("epochs") ||
                  state_.epoch - state_.best.best_epoch >= experiment_.training.integer("patience");
    return record;
  }

  void spend(double seconds) { state_.seconds += seconds; }

  void save() {
    epoch_.queue().wait();
    if (best_.defined()) state_.best_weights = adam_.weights_at(best_);
    save_checkpoint(folder_, description(), adam_, state_);
  }

  SplitResult result() {
    epoch_.queue().wait();
    SplitResult result = state_.best;
    result.split = split_;
    result.epochs = state_.epoch;
    result.probabilities = result.probabilities.to(at::kCPU);
    result.test_confusion = test_.confusion(result.probabilities.argmax(1), classes_);
    result.test = result.test_confusion.metric(experiment_.metric);
    result.epoch_ms = 1000 * state_.seconds / state_.epoch;
    return result;
  }

 private:
  /// The epoch just finished is the best so far.
  void keep(const EpochRecord& record) {
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

  EpochTargets targets() const {
    return {train_.items, train_.labels, val_.items, val_.labels,
            experiment_.training.flag("class_weights") ? inverse_frequencies() : at::Tensor()};
  }

  std::string description() const { return split_description(experiment_, split_); }

  at::Tensor inverse_frequencies() const {
    const at::Tensor counts =
        torch::bincount(train_.labels, {}, classes_).to(experiment_.input.x.scalar_type());
    const at::Tensor weights = torch::where(counts > 0, counts.reciprocal(), torch::zeros_like(counts));
    return weights * static_cast<double>(classes_) / weights.sum();
  }

  [[noreturn]] void report_divergence(double loss_value) const {
    std::string cause = "the loss itself";
    for (const auto& parameter : model_->named_parameters()) {
      if (parameter.value().isfinite().all().item<bool>()) continue;
      cause = "parameter " + parameter.key();
      break;
    }
    throw Failure(
        fmt::format("split {}, epoch {}: training diverged, the loss is {} (first seen in {}); lower lr (now "
                    "{}) or set layer_norm=true",
                    split_, state_.epoch, loss_value, cause, experiment_.training.text("lr")));
  }

  const Experiment& experiment_;
  int split_;
  std::filesystem::path folder_;
  std::int64_t classes_;
  Part train_;
  Part val_;
  Part test_;
  std::shared_ptr<models::Model> model_;
  FlatAdam adam_;
  EpochStep epoch_;
  SplitState state_;
  at::Tensor best_;  // parameters at the best epoch of this process; undefined: that of the checkpoint
};

/// Splits that are trained side by side: on the paper's data sets one alone leaves a GPU almost idle. The CPU
/// works on one after the other.
std::size_t lanes_of(const Experiment& experiment, std::size_t splits) {
  if (!experiment.device.is_cuda()) return 1;
  constexpr std::size_t kMost = 16;
  // Twice the estimate: it is meant to be right within that factor.
  const double fit = available_bytes(experiment.device) / (2 * estimated_bytes(experiment));
  return std::min({splits, kMost, static_cast<std::size_t>(std::max(1.0, fit))});
}

/// The trainings under way.
class Lanes {
 public:
  Lanes(const SplitHooks& hooks, const std::function<void(const SplitResult&)>& on_split)
      : hooks_(hooks), on_split_(on_split) {}

  std::size_t size() const { return lanes_.size(); }
  void add(std::unique_ptr<SplitTraining> training) { lanes_.push_back(std::move(training)); }

  /// An epoch of each.
  void advance() {
    const Clock::time_point start = Clock::now();
    std::vector<SplitTraining*> running;
    for (const auto& lane : lanes_) {
      if (!lane->done()) running.push_back(lane.get());
    }
    for (SplitTraining* lane : running) lane->start();
    for (SplitTraining* lane : running) {
      const EpochRecord record = lane->finish();
      if (hooks_.on_epoch) hooks_.on_epoch(record);
    }
    for (SplitTraining* lane : running)
      lane->spend(seconds_since(start) / static_cast<double>(running.size()));
    checkpoint(running);
  }

  /// Takes out what is done.
  void collect(std::vector<SplitResult>& results) {
    for (const auto& lane : lanes_) {
      if (!lane->done()) continue;
      results.push_back(lane->result());
      if (on_split_) on_split_(results.back());
    }
    lanes_.erase(std::remove_if(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->done(); }),
                 lanes_.end());
  }

 private:
  void checkpoint(const std::vector<SplitTraining*>& running) {
    const bool stop = hooks_.should_stop && hooks_.should_stop();
    const bool due = stop || seconds_since(last_checkpoint_) > hooks_.checkpoint_seconds;
    SplitTraining* stopped = nullptr;
    for (SplitTraining* lane : running) {
      if (due || lane->done()) lane->save();
      if (stop && !lane->done() && stopped == nullptr) stopped = lane;
    }
    if (due) last_checkpoint_ = Clock::now();
    if (stopped != nullptr)
      throw Interrupted(
          fmt::format("stopped in split {} after epoch {}", stopped->split(), stopped->epoch()));
  }

  const SplitHooks& hooks_;
  const std::function<void(const SplitResult&)>& on_split_;
  std::vector<std::unique_ptr<SplitTraining>> lanes_;
  Clock::time_point last_checkpoint_ = Clock::now();
};

}  // namespace

std::vector<SplitResult> run_splits(const Experiment& experiment, const std::vector<int>& splits,
                                    const std::function<std::filesystem::path(int)>& folder_of,
                                    const SplitHooks& hooks,
                                    const std::function<void(const SplitResult&)>& on_split) {
  std::vector<SplitResult> results;
  if (models::find_model(experiment.settings.model).is_rule) {
    for (const int split : splits) {
      std::filesystem::create_directories(folder_of(split));
      results.push_back(run_rule(experiment, split, folder_of(split)));
      if (on_split) on_split(results.back());
    }
    return results;
  }
  const std::size_t most = lanes_of(experiment, splits.size());
  std::deque<int> waiting(splits.begin(), splits.end());
  Lanes lanes(hooks, on_split);
  while (!waiting.empty() || lanes.size() > 0) {
    for (; !waiting.empty() && lanes.size() < most; waiting.pop_front()) {
      lanes.add(std::make_unique<SplitTraining>(experiment, waiting.front(), folder_of(waiting.front())));
    }
    lanes.advance();
    lanes.collect(results);
  }
  std::sort(results.begin(), results.end(),
            [](const SplitResult& a, const SplitResult& b) { return a.split < b.split; });
  return results;
}

}  // namespace dshn::train
