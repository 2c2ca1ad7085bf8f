#include "dshn/train/split_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <thread>

#include "dshn/base/error.hpp"
#include "dshn/io/file_system.hpp"
#include "dshn/train/memory_guard.hpp"
#include "dshn/train/rank_part.hpp"
#include "train/rules.hpp"
#include "train/split_training.hpp"

namespace dshn::train {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What the library of products takes for itself: a piece for each stream (a training has two) and for each thread
/// that launches (autograd has its own).
constexpr double kWorkspaceBytes = 4.0 * 32 * 1024 * 1024;

/// Bytes on a GPU that are left to trainings that have not begun.
class DeviceBudget {
 public:
  explicit DeviceBudget(const std::vector<SplitJob>& jobs) {
    for (const SplitJob& job : jobs) {
      if (!job.experiment->device.is_cuda() || needs_.count(job.experiment) > 0) continue;
      // Twice the estimate: it is meant to be right within that factor.
      needs_[job.experiment] = 2 * job.experiment->needed_bytes() + kWorkspaceBytes;
      keep_to_share(job.experiment->device);
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
/// side there; the CPU works on one after the other. Those that the card turns out to have no room for are trained
/// alone, from their beginning, when the others are done: that gives the same bits.
class ParallelSplits {
 public:
  ParallelSplits(const std::vector<SplitJob>& jobs, const SplitHooks& hooks, OnFailure on_failure)
      : jobs_(jobs), hooks_(hooks), on_failure_(on_failure), budget_(jobs), results_(jobs.size()) {}

  std::vector<SplitResult> run() {
    while (next_ < jobs_.size() || !running_.empty() || !crowded_out_.empty()) {
      uncharged([&] { running_.empty() && next_ == jobs_.size() ? begin_alone() : fill(); });
      bool waits = true;  // for the card
      for (RunningSplit& split : running_) waits = !advance(split) && waits;
      if (waits) std::this_thread::yield();  // to other processes that have work for it
      uncharged([&] {
        drop_finished();
        checkpoint();
      });
    }
    if (!jobs_.empty()) return_unused(jobs_[0].experiment->device);
    return std::move(results_);
  }

 private:
  struct RunningSplit {
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
      const bool shares = job.experiment->device.is_cuda() && running_.size() < kMost;
      if (!running_.empty() && !(shares && budget_.holds(job.experiment))) return;
      begin(next_);
    }
  }

  void begin_alone() {
    const std::size_t job = crowded_out_.front();
    crowded_out_.pop_front();
    return_unused(jobs_[job].experiment->device);
    begin(job);
  }

  void begin(std::size_t index) {
    const SplitJob& job = jobs_[index];
    // A disk that fails is no result of this training.
    if (!job.folder.empty() && writes_files(*job.experiment)) io::make_folders(job.folder);
    running_.push_back({index, nullptr});
    budget_.take(job.experiment);
    RunningSplit& split = running_.back();
    succeeds(split, [&] { split.training = SplitTraining::begin(*job.experiment, job.split, job.folder); });
  }

  /// Starts an epoch, or finishes it when the device has; the CPU always has. False when there was nothing to do.
  bool advance(RunningSplit& split) {
    if (!split.training || split.training->done()) return true;
    const bool starts = !split.started;
    if (starts && !succeeds(split, [&] { split.training->start(); })) return true;
    split.started = true;
    const bool ends = split.training->ready();
    if (ends) finish(split);
    return starts || ends;
  }

  /// Whether that part of a training went well; its end, where others go on without it.
  bool succeeds(RunningSplit& split, const std::function<void()>& part) {
    try {
      part();
      return true;
    } catch (const DeviceFull& full) {
      if (running_.size() > 1)
        crowded_out_.push_back(split.job);
      else if (on_failure_ == OnFailure::stop)
        throw;
      else
        results_[split.job].failure = full.what();
    } catch (const Failure& failure) {
      if (on_failure_ == OnFailure::stop) throw;
      results_[split.job].failure = failure.what();
    }
    split.training.reset();
    return false;
  }

  void finish(RunningSplit& split) {
    split.started = false;
    const bool well = succeeds(split, [&] {
      const EpochRecord record = split.training->finish();
      if (hooks_.on_epoch) hooks_.on_epoch(record);
    });
    if (!well) return;
    // Trainings side by side share the time that passes.
    split.training->spend(seconds_since(last_epoch_));
    last_epoch_ = Clock::now();
    if (split.training->done()) uncharged([&] { split.training->save(); });
  }

  /// Ranks do together what one of them is to do.
  bool on_any_rank(bool here) const {
    const RankPart* const part = jobs_.empty() ? nullptr : jobs_[0].experiment->part.get();
    return part == nullptr ? here : part->sum(here ? 1 : 0) > 0;
  }

  void drop_finished() {
    const auto finished = [&](RunningSplit& split) {
      if (split.training && !split.training->done()) return false;
      if (split.training) results_[split.job] = split.training->result();
      if (split.training && hooks_.on_split) hooks_.on_split(results_[split.job]);
      split.training.reset();
      budget_.give_back(jobs_[split.job].experiment);
      return true;
    };
    running_.erase(std::remove_if(running_.begin(), running_.end(), finished), running_.end());
  }

  void checkpoint() {
    const bool stop = on_any_rank(hooks_.should_stop && hooks_.should_stop());
    const bool due = stop || on_any_rank(seconds_since(last_checkpoint_) > hooks_.checkpoint_seconds);
    if (!due) return;
    for (RunningSplit& split : running_) {
      if (split.started && split.training) finish(split);
      if (split.training) uncharged([&] { split.training->save(); });
    }
    drop_finished();
    last_checkpoint_ = Clock::now();
    if (!stop || running_.empty()) return;
    const SplitTraining& first = *running_[0].training;
    throw Interrupted(fmt::format("stopped in split {} after epoch {}", first.split(), first.epoch()));
  }

  const std::vector<SplitJob>& jobs_;
  const SplitHooks& hooks_;
  OnFailure on_failure_;
  DeviceBudget budget_;
  std::vector<SplitResult> results_;
  std::size_t next_ = 0;
  std::deque<std::size_t> crowded_out_;
  std::vector<RunningSplit> running_;
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
  std::vector<SplitResult> finished = ParallelSplits(trained, hooks, on_failure).run();
  for (std::size_t i = 0; i < places.size(); ++i) results[places[i]] = std::move(finished[i]);
  return results;
}

}  // namespace dshn::train
