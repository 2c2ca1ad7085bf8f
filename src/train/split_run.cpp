#include "dshn/train/split_run.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

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

  bool ready() const { return epoch_.ready(); }
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

/// Bytes on a GPU that are left to trainings that have not begun.
class Space {
 public:
  explicit Space(const std::vector<SplitJob>& jobs) {
    for (const SplitJob& job : jobs) {
      if (!job.experiment->device.is_cuda() || needs_.count(job.experiment) > 0) continue;
      // Twice the estimate: it is meant to be right within that factor.
      needs_[job.experiment] = 2 * estimated_bytes(*job.experiment);
      left_ = available_bytes(job.experiment->device);
    }
  }
  bool holds(const Experiment* experiment) const { return needs_.at(experiment) <= left_; }
  void take(const Experiment* experiment) { left_ -= needs_[experiment]; }
  void give_back(const Experiment* experiment) { left_ += needs_[experiment]; }

 private:
  std::map<const Experiment*, double> needs_;
  double left_ = 0;
};

/// The trainings under way. On the paper's data sets one alone leaves a GPU almost idle, so many run side by
/// side there; the CPU works on one after the other.
class Lanes {
 public:
  Lanes(const std::vector<SplitJob>& jobs, const SplitHooks& hooks, OnFailure on_failure)
      : jobs_(jobs), hooks_(hooks), on_failure_(on_failure), space_(jobs), results_(jobs.size()) {}

  std::vector<SplitResult> run() {
    while (next_ < jobs_.size() || !lanes_.empty()) {
      uncharged([&] { fill(); });
      for (Lane& lane : lanes_) advance(lane);
      uncharged([&] {
        drop_finished();
        checkpoint();
      });
    }
    return std::move(results_);
  }

 private:
  struct Lane {
    std::size_t job;
    std::unique_ptr<SplitTraining> training;
    bool started = false;  // an epoch is under way
  };

  /// Work that is no epoch is not counted as the time of one.
  void uncharged(const std::function<void()>& work) {
    const Clock::time_point begin = Clock::now();
    work();
    // An epoch that ended meanwhile has been counted already.
    last_epoch_ = std::min(last_epoch_ + (Clock::now() - begin), Clock::now());
  }

  void fill() {
    for (; next_ < jobs_.size(); ++next_) {
      const SplitJob& job = jobs_[next_];
      constexpr std::size_t kMost = 32;  // libtorch has so many streams
      const bool shares = job.experiment->device.is_cuda() && lanes_.size() < kMost;
      if (!lanes_.empty() && !(shares && space_.holds(job.experiment))) return;
      lanes_.push_back({next_, std::make_unique<SplitTraining>(*job.experiment, job.split, job.folder)});
      space_.take(job.experiment);
    }
  }

  /// Starts an epoch, or finishes it when the device has; the CPU always has.
  void advance(Lane& lane) {
    if (lane.training->done()) return;
    if (!lane.started) lane.training->start();
    lane.started = true;
    if (lane.training->ready()) finish(lane);
  }

  void finish(Lane& lane) {
    lane.started = false;
    try {
      const EpochRecord record = lane.training->finish();
      if (hooks_.on_epoch) hooks_.on_epoch(record);
    } catch (const Failure& failure) {
      if (on_failure_ == OnFailure::stop) throw;
      results_[lane.job].failure = failure.what();
      lane.training.reset();
      return;
    }
    // Trainings side by side share the time that passes.
    lane.training->spend(seconds_since(last_epoch_));
    last_epoch_ = Clock::now();
    if (lane.training->done()) uncharged([&] { lane.training->save(); });
  }

  void drop_finished() {
    const auto finished = [&](Lane& lane) {
      if (lane.training && !lane.training->done()) return false;
      if (lane.training) results_[lane.job] = lane.training->result();
      if (lane.training && hooks_.on_split) hooks_.on_split(results_[lane.job]);
      lane.training.reset();
      space_.give_back(jobs_[lane.job].experiment);
      return true;
    };
    lanes_.erase(std::remove_if(lanes_.begin(), lanes_.end(), finished), lanes_.end());
  }

  void checkpoint() {
    const bool stop = hooks_.should_stop && hooks_.should_stop();
    if (!stop && seconds_since(last_checkpoint_) <= hooks_.checkpoint_seconds) return;
    for (Lane& lane : lanes_) {
      if (lane.started) finish(lane);
      if (lane.training) uncharged([&] { lane.training->save(); });
    }
    drop_finished();
    last_checkpoint_ = Clock::now();
    if (!stop || lanes_.empty()) return;
    const SplitTraining& first = *lanes_[0].training;
    throw Interrupted(fmt::format("stopped in split {} after epoch {}", first.split(), first.epoch()));
  }

  const std::vector<SplitJob>& jobs_;
  const SplitHooks& hooks_;
  OnFailure on_failure_;
  Space space_;
  std::vector<SplitResult> results_;
  std::size_t next_ = 0;
  std::vector<Lane> lanes_;
  Clock::time_point last_epoch_ = Clock::now();
  Clock::time_point last_checkpoint_ = Clock::now();
};

}  // namespace

std::vector<SplitResult> run_splits(const std::vector<SplitJob>& jobs, const SplitHooks& hooks,
                                    OnFailure on_failure) {
  std::vector<SplitJob> trained;
  std::vector<std::size_t> places;
  std::vector<SplitResult> results(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const SplitJob& job = jobs[i];
    if (models::find_model(job.experiment->settings.model).is_rule) {
      std::filesystem::create_directories(job.folder);
      results[i] = run_rule(*job.experiment, job.split, job.folder);
      if (hooks.on_split) hooks.on_split(results[i]);
    } else {
      trained.push_back(job);
      places.push_back(i);
    }
  }
  std::vector<SplitResult> finished = Lanes(trained, hooks, on_failure).run();
  for (std::size_t i = 0; i < places.size(); ++i) results[places[i]] = std::move(finished[i]);
  return results;
}

}  // namespace dshn::train
