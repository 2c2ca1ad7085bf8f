#include "dshn/train/split_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>

#include "dshn/base/error.hpp"
#include "dshn/train/memory.hpp"
#include "train/rules.hpp"
#include "train/split_training.hpp"

namespace dshn::train {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Bytes on a GPU that are left to trainings that have not begun.
class Space {
 public:
  explicit Space(const std::vector<SplitJob>& jobs) {
    for (const SplitJob& job : jobs) {
      if (!job.experiment->device.is_cuda() || needs_.count(job.experiment) > 0) continue;
      // Twice the estimate: it is meant to be right within that factor.
      needs_[job.experiment] = 2 * estimated_bytes(*job.experiment);
      left_ = available_bytes(job.experiment->device) / gpu_processes();
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
    if (!jobs_.empty()) return_unused(jobs_[0].experiment->device);
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
    if (!lane.started && !succeeds(lane, [&] { lane.training->start(); })) return;
    lane.started = true;
    if (lane.training->ready()) finish(lane);
  }

  /// Whether that part of a training went well; its end, where others go on without it.
  bool succeeds(Lane& lane, const std::function<void()>& part) {
    try {
      part();
      return true;
    } catch (const Failure& failure) {
      if (on_failure_ == OnFailure::stop) throw;
      results_[lane.job].failure = failure.what();
      lane.training.reset();
      return false;
    }
  }

  void finish(Lane& lane) {
    lane.started = false;
    const bool well = succeeds(lane, [&] {
      const EpochRecord record = lane.training->finish();
      if (hooks_.on_epoch) hooks_.on_epoch(record);
    });
    if (!well) return;
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
