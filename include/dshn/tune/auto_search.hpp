#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "dshn/data/dataset.hpp"
#include "dshn/train/settings.hpp"
#include "dshn/tune/trial.hpp"

namespace dshn::train {
struct Experiment;
}

/// From data to a model in a given time: some models as they are, then the most promising ones with other options.
namespace dshn::tune {

/// A model that takes part, with the options that it is tried with first.
struct Entrant {
  std::string model = {};
  Assignments set = {};     // beside the defaults
  std::string preset = {};  // the file that these are from; empty: none
};

struct AutoRequest {
  /// Data, seed, device, the splits that the winner is trained on, and options: those of a model hold for the models
  /// that have them. The model is not looked at.
  train::Settings settings;
  std::vector<Entrant> entrants;
  /// What validation goes by (train::find_metric); larger is better.
  std::string metric = "accuracy";
  /// For the search and the winner's training.
  double seconds = 0;
};

struct Candidate {
  std::string model = {};
  std::string preset = {};  // as of an Entrant
  bool searched = false;    // by a sampler; else it is an entrant
  /// Its number is its place on the board, its options are those beside the request's and the defaults.
  Trial trial = {};
  double seconds = 0;
};

/// All that was tried so far.
struct AutoBoard {
  std::vector<Candidate> candidates;
  /// Figures are means over the first so many splits, at the end of the best of some models over further ones; 0 while
  /// the entrants are tried.
  int splits = 0;
  /// Spent so far, over all calls.
  double seconds = 0;
  bool finished = false;

  /// Numbers of the candidates from the best to the worst, by validation.
  std::vector<int> ranked() const;
};

struct AutoHooks {
  /// Hears of the board whenever something of it has changed.
  std::function<void(const AutoBoard&)> on_change;
  /// Hears of every epoch.
  std::function<void(const AutoBoard&)> on_epoch;
  std::function<bool()> should_stop;
};

/// Takes on how the experiment is judged, and leaves out the entrants that cannot predict its targets: rules know
/// classes alone. UsageError for a metric that is better where it is lower.
void fit_to(AutoRequest& request, const train::Experiment& experiment);

/// UsageError for an option that no entrant has, or a value that one of them refuses.
void check(const AutoRequest& request);

/// Fills the board, or goes on with it. The first split of every entrant is trained, however long that takes; then
/// further ones while that takes up to two fifths of the time; then candidates near the best ones are tried; then the
/// best of three models are compared on further splits. Time for the winner's training is left, up to half of all. Test figures are not looked at. The same seed proposes the same
/// candidates after the same figures; how many there are is up to the clock. Failure where no entrant can be trained,
/// train::Interrupted where should_stop said so: the board can go on.
void auto_search(const AutoRequest& request, const std::shared_ptr<const data::Dataset>& dataset,
                 AutoBoard& board, const AutoHooks& hooks);

/// What a candidate is trained with: what was asked for stands above its own options.
train::Settings settings_of(const AutoRequest& request, const Candidate& candidate);

/// What the best candidate is trained with. UsageError where there is none.
train::Settings winner_settings(const AutoRequest& request, const AutoBoard& board);

nlohmann::ordered_json to_json(const AutoRequest& request, const AutoBoard& board);

struct AutoState {
  AutoRequest request;
  AutoBoard board;
};
/// What to_json() wrote. InvalidInput, with `where`, for anything else.
AutoState auto_from_json(const std::string& text, const std::string& where);

}  // namespace dshn::tune
