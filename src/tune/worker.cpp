#include <chrono>
#include <map>
#include <thread>

#include "dshn/data/dataset_shelf.hpp"
#include "dshn/io/file_system.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/train/memory_guard.hpp"
#include "dshn/train/run.hpp"
#include "dshn/tune/sampler.hpp"
#include "dshn/tune/store.hpp"
#include "dshn/tune/study.hpp"
#include "tune/blame.hpp"
#include "tune/halving.hpp"
#include "tune/heartbeat.hpp"

namespace dshn::tune {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{200};

/// What a trial trains, one experiment for each seed: made when the first of its splits comes up, since most trials
/// end early.
class TrialExperiments {
 public:
  TrialExperiments(const StudyRequest& request, const train::Settings& settings,
                   const std::function<std::shared_ptr<const data::Dataset>(const train::Settings&)>& open)
      : request_(request), settings_(settings), open_(open) {}

  const train::Experiment& of_split(int split) {
    train::Settings settings = settings_;
    settings.seed = request_.seed_of_split(split);
    std::unique_ptr<train::Experiment>& experiment = made_[settings.seed];
    if (!experiment) experiment = std::make_unique<train::Experiment>(open_(settings), settings);
    return *experiment;
  }

 private:
  const StudyRequest& request_;
  const train::Settings& settings_;
  std::function<std::shared_ptr<const data::Dataset>(const train::Settings&)> open_;
  std::map<std::uint64_t, std::unique_ptr<train::Experiment>> made_;
};

/// What one process does for a study.
class Worker {
 public:
  Worker(const StudyPlace& study, const std::function<bool()>& should_stop)
      : study_(study),
        store_(study.store),
        request_(StudyRequest::from_text(store_.request())),
        sampler_(make_sampler(request_.sampler, request_.settings.seed)),
        should_stop_(should_stop) {}

  /// False when there was nothing to do now.
  bool make_one() {
    const std::optional<Claim> claim = store_.claim([this](const std::vector<Trial>& history, int number) {
      if (number < static_cast<int>(request_.first.size())) return request_.first[number].set;
      return assignments(request_.space, sampler_->propose(request_.space, history, number));
    });
    if (!claim) return false;
    const Heartbeat heartbeat(study_.store, *claim);
    try {
      make(*claim, heartbeat);
    } catch (...) {
      // Another worker that has the trial may have finished it and removed its folder meanwhile.
      if (!store_.release(*claim)) return true;
      throw;
    }
    return true;
  }

  bool all_finished() const { return store_.all_finished(); }

 private:
  /// All trials train on what was read once, and on what the study began on.
  std::shared_ptr<const data::Dataset> opened(const train::Settings& settings) {
    auto dataset = shelf_.open(settings.data, train::open_options(settings));
    if (checked_ != dataset) check_data(request_, *dataset, study_);
    return checked_ = dataset;
  }

  void make(const Claim& claim, const Heartbeat& heartbeat) {
    const std::filesystem::path folder = trial_folder(study_.folder, claim.number);
    if (finishes(claim, folder, heartbeat)) io::remove_tree(folder);
  }

  /// False when the trial is another worker's now. What the configuration is to blame for is its result.
  bool finishes(const Claim& claim, const std::filesystem::path& folder, const Heartbeat& heartbeat) {
    bool held = false;
    const auto blame = blame_of([&] { held = train_splits(claim, folder, heartbeat); });
    return blame ? store_.fail(claim, *blame) : held;
  }

  /// Whether there are checkpoints to go on from. A worker may have been killed before there was anything to keep, and
  /// where the trials are on a server, the folder may be that of another study.
  bool is_begun(const train::Settings& settings, const std::filesystem::path& folder) const {
    if (!std::filesystem::exists(folder / io::kConfigFile)) return false;
    if (!study_.store.is_on_server()) return true;
    const train::Settings there = train::read_config(folder / io::kConfigFile);
    return there.data == settings.data && there.model == settings.model && there.seed == settings.seed &&
           there.splits == settings.splits && there.set == settings.set && there.reading == settings.reading;
  }

  bool train_splits(const Claim& claim, const std::filesystem::path& folder, const Heartbeat& heartbeat) {
    const Trial trial = store_.trial(claim);
    const train::Settings settings = request_.trial_settings(trial.set);
    TrialExperiments experiments(request_, settings, [this](const train::Settings& s) { return opened(s); });
    const bool begun = is_begun(settings, folder);
    if (!begun) io::remove_tree(folder);
    train::prepare_folder(settings, folder, begun);
    train::check_memory(experiments.of_split(0));
    train::SplitHooks hooks;
    hooks.should_stop = [&] { return heartbeat.lost() || (should_stop_ && should_stop_()); };
    const auto splits = static_cast<int>(experiments.of_split(0).splits.size());
    auto done = static_cast<int>(trial.validation.size());
    TrialState state = TrialState::running;
    while (done < splits && state == TrialState::running) {
      for (const train::SplitResult& result : train_together(experiments, done, splits, folder, hooks)) {
        if (!result.failure.empty()) return store_.fail(claim, result.failure);
        ++done;
        // Of the result only the validation figure is looked at.
        const double figure = request_.objective == "steady" ? result.steady_val : result.val;
        const bool held = store_.record(claim, result.split, figure, [&](const std::vector<Trial>& trials) {
          state = judge(trials, claim.number, done, splits);
          return state;
        });
        if (!held) return false;
      }
    }
    return true;
  }

  /// The splits from `first` up to where the trial is judged next: a GPU trains them side by side.
  std::vector<train::SplitResult> train_together(TrialExperiments& experiments, int first, int splits,
                                                 const std::filesystem::path& folder,
                                                 const train::SplitHooks& hooks) const {
    std::vector<train::SplitJob> jobs;
    for (int split = first; split < splits; ++split) {
      jobs.push_back({&experiments.of_split(split), split, io::split_folder(folder, split)});
      if (judged_after(split + 1, splits)) break;
    }
    return train::run_splits(jobs, hooks, train::OnFailure::record);
  }

  bool judged_after(int done, int splits) const {
    return request_.halving && Halving{request_.eta}.is_rung(done, splits);
  }

  TrialState judge(const std::vector<Trial>& trials, int number, int done, int splits) const {
    if (done == splits) return TrialState::completed;
    const bool stop = judged_after(done, splits) && Halving{request_.eta}.hopeless(trials, number, done);
    return stop ? TrialState::pruned : TrialState::running;
  }

  data::DatasetShelf shelf_;
  std::shared_ptr<const data::Dataset> checked_;
  StudyPlace study_;
  Store store_;
  StudyRequest request_;
  std::unique_ptr<Sampler> sampler_;
  std::function<bool()> should_stop_;
};

}  // namespace

void work(const StudyPlace& study, const std::function<bool()>& should_stop) {
  Worker worker(study, should_stop);
  while (!worker.all_finished()) {
    if (should_stop && should_stop()) throw train::Interrupted("stopped between two trials");
    // The trials that are left are with other workers: one of them may die and leave its trial behind.
    if (!worker.make_one()) std::this_thread::sleep_for(kBetweenLooks);
  }
}

}  // namespace dshn::tune
