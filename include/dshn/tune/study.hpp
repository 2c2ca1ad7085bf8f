#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "dshn/data/dataset.hpp"
#include "dshn/train/settings.hpp"
#include "dshn/tune/search_space.hpp"
#include "dshn/tune/store_address.hpp"
#include "dshn/tune/study_files.hpp"
#include "dshn/tune/trial.hpp"

namespace dshn::tune {

/// A configuration that a study begins with, and the file or the trial that it was taken from.
struct FirstTrial {
  Assignments set;
  std::string from;
};

/// All that decides what a study comes to, beside the number of its trials.
struct StudyRequest {
  /// Data, model, seed, device, the first so many splits, and the options that all trials share.
  train::Settings settings;
  /// Split i is that of seed settings.seed + i mod seeds: with published splits, its weights are.
  int seeds = 1;
  SearchSpace space;
  /// The first trials; the sampler proposes those that follow.
  std::vector<FirstTrial> first;
  /// What a split of a trial is judged by: "best", the validation figure of its best epoch, or "steady", the
  /// mean of the epochs around it.
  std::string objective = "best";
  std::string sampler = "tpe";
  bool halving = true;
  int eta = 3;
  /// After the search the best so many completed trials are trained again (confirmation.hpp).
  int confirm = 0;
  int confirm_splits = 0;  // on so many splits; 0: as many as the data set's protocol has
  /// Whether this is such a second look, at trials of another study: those that `first` was taken from.
  bool confirms = false;
  /// Of the data that it began on (data::named_digests); empty where they are generated or it did not say.
  Assignments digests;

  /// What the figures are, by the data set's kind of targets; empty in studies of version 0.1, which knew classes.
  std::string metric;

  /// Takes the metric of an experiment. UsageError where a lower one is better: a search looks for the largest.
  void judge_by(const std::string& metric_of_experiment);
  /// A figure for people, "87.50 ± 1.20".
  std::string figure_text(const train::MeanStd& figure) const;

  std::string to_text() const;
  /// InvalidInput when the text is not one that to_text wrote.
  static StudyRequest from_text(const std::string& text);

  /// What a trial with these values trains.
  train::Settings trial_settings(const Assignments& set) const;
  std::uint64_t seed_of_split(int split) const;
  /// What people call a trial: its number, or that of the one it confirms.
  std::string name_of(int number) const;
};

/// InvalidInput, with the study, where the data have changed since it began on them.
void check_data(const StudyRequest& request, const data::Dataset& dataset, const StudyPlace& study);

/// "0", or "100-109".
std::string seed_range(std::uint64_t first, int count);

/// Makes trials of the study until all are finished: proposes, trains split by split, stops the hopeless
/// ones. Any number of processes may do so at once; a trial that a killed one left behind is taken up where
/// its checkpoints end, or after its last recorded split where they are on another machine. The test figures are not looked at. train::Interrupted when should_stop says so.
void work(const StudyPlace& study, const std::function<bool()>& should_stop);

/// How well the winner did on test data, once the search was over.
struct FinalFigure {
  int splits = 0;
  train::MeanStd validation;
  train::MeanStd test;
};

/// A second look at the best trials of a study, as it stands.
struct Confirmation {
  std::uint64_t seed = 0;
  int seeds = 1;
  int goal = 0;
  std::vector<int> numbers;   // of the study's trials
  std::vector<Trial> trials;  // the same again, as far as they are begun

  bool finished() const;
  /// Null where it has not begun.
  const Trial* again(int number) const;
  /// The number of the study's trial that is best here, by its mean validation figure; none before all are
  /// finished, or where all failed.
  std::optional<int> winner() const;
};

/// A study as it stands.
struct Summary {
  StudyRequest request;
  int goal = 0;
  std::vector<Trial> trials;
  std::optional<Confirmation> confirmation;
  std::optional<FinalFigure> final_figure;

  static Summary read(const StudyPlace& study);
  int count(TrialState state) const;
  int finished() const;
  /// The trial that was confirmed best; without a confirmation, the completed one with the best mean
  /// validation figure.
  const Trial* best() const;
};

/// What kSummaryFile holds.
nlohmann::ordered_json to_json(const Summary& summary, const std::string& command);

/// The winner as `dshn train --preset` takes it, with the study's figures in comments. UsageError where no
/// trial was completed.
std::string preset_text(const Summary& summary, const std::string& command);

}  // namespace dshn::tune
