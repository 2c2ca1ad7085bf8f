#include "dshn/tune/auto_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <optional>
#include <set>

#include "dshn/models/registry.hpp"
#include "dshn/train/experiment.hpp"
#include "dshn/train/split_run.hpp"
#include "dshn/tune/sampler.hpp"
#include "dshn/tune/usable.hpp"
#include "tune/blame.hpp"
#include "tune/halving.hpp"

namespace dshn::tune {
namespace {

using Clock = std::chrono::steady_clock;

/// A candidate is tried on so many splits at most.
constexpr int kMostSplits = 3;
/// Of the time, that the entrants may take before others are tried, and that the winner's training keeps at most.
constexpr double kEntrantsShare = 0.4;
constexpr double kTrainingShare = 0.5;
/// The best candidates of so many models are compared on further splits at the end. Of the time between the entrants and
/// the winner's training that takes this share at most: the best of many on few splits is often only a lucky one.
constexpr std::size_t kFinalists = 3;
constexpr double kFinalsShare = 0.5;

bool has_option(const std::vector<OptionSpec>& specs, const std::string& name) {
  return std::any_of(specs.begin(), specs.end(), [&](const OptionSpec& spec) { return spec.name == name; });
}

/// Those of the request's options that mean something to the model.
Assignments shared_options(const AutoRequest& request, const std::string& model) {
  Assignments result;
  for (const auto& [name, value] : request.settings.set)
    if (has_option(train::training_options(), name) || has_option(models::find_model(model).options, name))
      result[name] = value;
  return result;
}

void check_known(const AutoRequest& request) {
  for (const auto& [name, value] : request.settings.set) {
    const bool known = has_option(train::training_options(), name) ||
                       std::any_of(request.entrants.begin(), request.entrants.end(),
                                   [&, wanted = name](const Entrant& entrant) {
                                     return has_option(models::find_model(entrant.model).options, wanted);
                                   });
    if (!known)
      throw UsageError(fmt::format("none of the models that are tried has the option '{}'", name),
                       Topic{"unknown-option"});
  }
}

class AutoSearch {
 public:
  AutoSearch(const AutoRequest& request, std::shared_ptr<const data::Dataset> dataset, AutoBoard& board,
             const AutoHooks& hooks)
      : request_(request),
        dataset_(std::move(dataset)),
        board_(board),
        hooks_(hooks),
        sampler_(make_sampler("nearby", request.settings.seed)),
        before_(board.seconds) {}

  void run() {
    try_entrants();
    final_splits_ =
        static_cast<int>(train::Experiment(dataset_, winner_settings(request_, board_)).splits.size());
    while (const auto model = next_model()) {
      if (!try_near_best(*model)) break;
    }
    compare_finalists();
    board_.finished = true;
    changed();
  }

 private:
  double spent() const { return before_ + std::chrono::duration<double>(Clock::now() - start_).count(); }

  void changed() {
    board_.seconds = spent();
    if (hooks_.on_change) hooks_.on_change(board_);
  }

  /// Trains one more split of the candidate. False when the time was up before that; its figure is then unknown.
  bool train_split(Candidate& candidate, std::optional<double> until) {
    const double begin = spent();
    const int split = static_cast<int>(candidate.trial.validation.size());
    bool out_of_time = false;
    train::SplitHooks hooks;
    hooks.on_epoch = [&](const train::EpochRecord&) {
      board_.seconds = spent();
      if (hooks_.on_epoch) hooks_.on_epoch(board_);
    };
    hooks.should_stop = [&] {
      out_of_time = until && spent() > *until;
      return out_of_time || (hooks_.should_stop && hooks_.should_stop());
    };
    const auto train = [&] {
      const train::Experiment experiment(dataset_, settings_of(request_, candidate));
      final_splits_ = static_cast<int>(experiment.splits.size());
      train::check_memory(experiment);
      const train::SplitResult result =
          train::run_splits({{&experiment, split, {}}}, hooks, train::OnFailure::record).front();
      // Of the result only the validation figure is looked at, over some epochs: one lucky epoch decides nothing, and
      // models that are all perfect in their best epoch are told apart.
      if (result.failure.empty())
        candidate.trial.validation.push_back(result.steady_val);
      else
        fail(candidate, result.failure);
    };
    try {
      if (const auto blame = blame_of(train)) fail(candidate, *blame);
    } catch (const train::Interrupted&) {
      if (!out_of_time) throw;
      return false;
    }
    candidate.seconds += spent() - begin;
    return true;
  }

  static void fail(Candidate& candidate, const std::string& why) {
    candidate.trial.state = TrialState::failed;
    candidate.trial.message = why;
  }

  void try_entrants() {
    if (board_.candidates.empty()) {
      for (const Entrant& entrant : request_.entrants) {
        Candidate candidate{.model = entrant.model, .preset = entrant.preset};
        candidate.trial.number = static_cast<int>(board_.candidates.size());
        candidate.trial.set = entrant.set;
        board_.candidates.push_back(std::move(candidate));
      }
    }
    for (int round = 1; board_.splits == 0; ++round) {
      const double begin = spent();
      for (Candidate& candidate : board_.candidates) {
        const bool due = candidate.trial.state == TrialState::running &&
                         static_cast<int>(candidate.trial.validation.size()) < round;
        if (!due) continue;
        train_split(candidate, std::nullopt);
        changed();
      }
      const double took = spent() - begin;
      const bool last = round == std::min(kMostSplits, final_splits_) || !any_running() ||
                        spent() + took > kEntrantsShare * request_.seconds;
      if (last) finish_entrants(round);
    }
  }

  bool any_running() const {
    return std::any_of(board_.candidates.begin(), board_.candidates.end(), [](const Candidate& candidate) {
      return candidate.trial.state == TrialState::running;
    });
  }

  void finish_entrants(int splits) {
    board_.splits = splits;
    for (Candidate& candidate : board_.candidates)
      if (candidate.trial.state == TrialState::running) candidate.trial.state = TrialState::completed;
    if (board_.ranked().empty() || board_.candidates[board_.ranked()[0]].trial.state != TrialState::completed)
      throw Failure(fmt::format("none of the {} models could be trained; the first one said: {}",
                                board_.candidates.size(), board_.candidates[0].trial.message));
    changed();
  }

  double seconds_per_split(const Candidate& candidate) const {
    return candidate.seconds /
           static_cast<double>(std::max<std::size_t>(1, candidate.trial.validation.size()));
  }

  /// When all has to end for the best candidate to be trained in time.
  double deadline() const {
    const Candidate& best = board_.candidates[board_.ranked()[0]];
    return request_.seconds -
           std::min(kTrainingShare * request_.seconds, seconds_per_split(best) * final_splits_);
  }

  /// When no other candidate is tried, for the finalists to be compared.
  double search_deadline() const {
    double entrants = 0;
    for (const Candidate& candidate : board_.candidates)
      entrants += candidate.searched ? 0 : candidate.seconds;
    double round = 0;
    for (const int number : finalists()) round += seconds_per_split(board_.candidates[number]);
    const double share = kFinalsShare * std::max(0.0, deadline() - entrants);
    // Where not a single round has room, all of the time is for the search.
    return deadline() - (round > share ? 0 : std::min(share, round * (final_splits_ - board_.splits)));
  }

  /// The best candidates of the best models; nothing where there is nothing to compare.
  std::vector<int> finalists() const {
    std::vector<int> numbers;
    std::set<std::string> models;
    for (const int number : board_.ranked()) {
      const Candidate& candidate = board_.candidates[number];
      if (candidate.trial.state == TrialState::completed && models.size() < kFinalists &&
          models.insert(candidate.model).second)
        numbers.push_back(number);
    }
    return numbers.size() > 1 ? numbers : std::vector<int>();
  }

  int splits_of(int number) const {
    return static_cast<int>(board_.candidates[number].trial.validation.size());
  }

  bool finals_have_begun() const {
    return board_.candidates.end() !=
           std::ranges::find_if(board_.candidates, [&](const Candidate& candidate) {
             return static_cast<int>(candidate.trial.validation.size()) > board_.splits;
           });
  }

  /// One further split of each finalist after the other. A round that has begun is finished: the ranking puts those with
  /// more splits first, and they must all have as many.
  void compare_finalists() {
    const std::vector<int> compared = finalists();
    for (int done = board_.splits; done < final_splits_; ++done) {
      std::vector<int> due;
      double expected = 0;
      for (const int number : compared) {
        if (splits_of(number) != done || board_.candidates[number].trial.state != TrialState::completed)
          continue;
        due.push_back(number);
        expected += seconds_per_split(board_.candidates[number]);
      }
      const bool begun = due.size() < compared.size();
      if (!begun && spent() + expected > deadline()) return;
      for (const int number : due) {
        train_split(board_.candidates[number], std::nullopt);
        changed();
      }
    }
  }

  /// The models that can be searched, the one with the best candidate first.
  std::vector<std::string> models_by_rank() const {
    std::vector<std::string> names;
    for (const int number : board_.ranked()) {
      const Candidate& candidate = board_.candidates[number];
      const bool known = std::find(names.begin(), names.end(), candidate.model) != names.end();
      const bool usable = candidate.trial.state == TrialState::completed && !exhausted(candidate.model) &&
                          !models::find_model(candidate.model).is_rule;
      if (usable && !known) names.push_back(candidate.model);
    }
    return names;
  }

  /// Every second candidate is of the best model, every fourth of the next one, and so on; nothing when there is no
  /// time for another.
  std::optional<std::string> next_model() const {
    const auto searched =
        static_cast<unsigned>(std::count_if(board_.candidates.begin(), board_.candidates.end(),
                                            [](const Candidate& candidate) { return candidate.searched; }));
    const std::vector<std::string> names = models_by_rank();
    const auto first = static_cast<std::size_t>(std::countr_zero(searched + 1));
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string& name = names[(std::min(first, names.size() - 1) + i) % names.size()];
      if (!finals_have_begun() && spent() + expected_seconds(name) <= search_deadline()) return name;
    }
    return std::nullopt;
  }

  /// What a split of the model's best candidate takes.
  double expected_seconds(const std::string& model) const {
    for (const int number : board_.ranked())
      if (board_.candidates[number].model == model) return seconds_per_split(board_.candidates[number]);
    return 0;
  }

  const Entrant& entrant_of(const std::string& model) const {
    return *std::find_if(request_.entrants.begin(), request_.entrants.end(),
                         [&](const Entrant& entrant) { return entrant.model == model; });
  }

  /// What a model is searched in, with room for its entrant.
  const SearchSpace& space_of(const std::string& model) {
    const auto known = spaces_.find(model);
    if (known != spaces_.end()) return known->second;
    Candidate entrant{.model = model};
    entrant.trial.set = entrant_of(model).set;
    const train::Settings settings = settings_of(request_, entrant);
    const train::Experiment experiment(dataset_, settings);
    const Assignments fixed = shared_options(request_, model);
    std::map<std::string, std::vector<std::string>> lists;
    if (!fixed.contains("scaling")) lists["scaling"] = {"auto", "standardise"};
    std::vector<std::string> left_out;
    try {
      SearchSpace space = usable_part(search_space(model, fixed, lists), {}, experiment, left_out);
      spaces_[model] = starting_at(std::move(space), model, settings.set).space;
    } catch (const UsageError& error) {
      if (error.topic().id != "empty-space") throw;
      spaces_[model] = {};  // all is said: its entrant is all there is to try
    }
    return spaces_[model];
  }

  /// The model's candidates as trials of a study in its space, numbered from 0.
  std::vector<Trial> history_of(const std::string& model, const SearchSpace& space) const {
    std::vector<Trial> history;
    for (const Candidate& candidate : board_.candidates) {
      if (candidate.model != model) continue;
      Trial trial = candidate.trial;
      trial.number = static_cast<int>(history.size());
      trial.set = starting_at(space, model, settings_of(request_, candidate).set).first;
      history.push_back(std::move(trial));
    }
    return history;
  }

  bool exhausted(const std::string& model) const {
    const auto known = spaces_.find(model);
    if (known == spaces_.end()) return false;
    const auto tried = std::count_if(board_.candidates.begin(), board_.candidates.end(),
                                     [&](const Candidate& candidate) { return candidate.model == model; });
    return static_cast<std::uint64_t>(tried) >= size_of(known->second);
  }

  /// False when the time was up before its figure was known.
  bool try_near_best(const std::string& model) {
    const SearchSpace& space = space_of(model);
    if (exhausted(model)) return true;
    const std::vector<Trial> history = history_of(model, space);
    Candidate candidate{.model = model, .preset = entrant_of(model).preset, .searched = true};
    candidate.trial.number = static_cast<int>(board_.candidates.size());
    candidate.trial.set =
        assignments(space, sampler_->propose(space, history, static_cast<int>(history.size())));
    const Assignments& started = entrant_of(model).set;
    candidate.trial.set.insert(started.begin(), started.end());  // what the preset has beside the space
    while (candidate.trial.state == TrialState::running) {
      if (!train_split(candidate, search_deadline())) return false;
      if (candidate.trial.state == TrialState::running) judge(candidate);
    }
    board_.candidates.push_back(std::move(candidate));
    changed();
    return true;
  }

  void judge(Candidate& candidate) const {
    const auto done = static_cast<int>(candidate.trial.validation.size());
    std::vector<Trial> trials{candidate.trial};
    for (const Candidate& other : board_.candidates) trials.push_back(other.trial);
    const Halving halving;
    if (done == board_.splits)
      candidate.trial.state = TrialState::completed;
    else if (halving.is_rung(done, board_.splits) && halving.hopeless(trials, candidate.trial.number, done))
      candidate.trial.state = TrialState::pruned;
  }

  const AutoRequest& request_;
  std::shared_ptr<const data::Dataset> dataset_;
  AutoBoard& board_;
  const AutoHooks& hooks_;
  std::unique_ptr<Sampler> sampler_;
  std::map<std::string, SearchSpace> spaces_;
  int final_splits_ = 0;
  double before_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

train::Settings settings_of(const AutoRequest& request, const Candidate& candidate) {
  train::Settings settings = request.settings;
  settings.model = candidate.model;
  settings.preset = candidate.preset;
  settings.set = shared_options(request, candidate.model);
  settings.set.insert(candidate.trial.set.begin(), candidate.trial.set.end());
  return settings;
}

void fit_to(AutoRequest& request, const train::Experiment& experiment) {
  check_searchable(experiment.metric);
  request.metric = experiment.metric;
  if (experiment.dataset->code.target == data::TargetKind::classes) return;
  std::erase_if(request.entrants,
                [](const Entrant& entrant) { return models::find_model(entrant.model).is_rule; });
}

void check(const AutoRequest& request) {
  check_known(request);
  for (const Entrant& entrant : request.entrants) {
    Candidate candidate{.model = entrant.model};
    candidate.trial.set = entrant.set;
    static_cast<void>(settings_of(request, candidate).all_options());
  }
}

void auto_search(const AutoRequest& request, const std::shared_ptr<const data::Dataset>& dataset,
                 AutoBoard& board, const AutoHooks& hooks) {
  check(request);
  if (!board.finished) AutoSearch(request, dataset, board, hooks).run();
}

train::Settings winner_settings(const AutoRequest& request, const AutoBoard& board) {
  const std::vector<int> ranked = board.ranked();
  if (ranked.empty() || board.candidates[ranked[0]].trial.state != TrialState::completed)
    throw UsageError("no model was tried to the end");
  return settings_of(request, board.candidates[ranked[0]]);
}

}  // namespace dshn::tune
