#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "dshn/train/settings.hpp"
#include "dshn/tune/search_space.hpp"
#include "dshn/tune/trial.hpp"

namespace dshn::tune {

/// All that decides what a study comes to, beside the number of its trials.
struct StudyRequest {
  /// Data, model, seed, device, the first so many splits, and the options that all trials share.
  train::Settings settings;
  SearchSpace space;
  /// The configuration of the first trial; empty where the sampler proposes that one too.
  Assignments first;
  std::string first_from;  // the file that it was read from
  /// What a split of a trial is judged by: "best", the validation figure of its best epoch, or "steady", the
  /// mean of the epochs around it.
  std::string objective = "best";
  std::string sampler = "tpe";
  bool halving = true;
  int eta = 3;

  std::string to_text() const;
  /// InvalidInput when the text is not one that to_text wrote.
  static StudyRequest from_text(const std::string& text);

  /// What a trial with these values trains.
  train::Settings trial_settings(const Assignments& set) const;
};

/// A study folder: study.sqlite (the trials), trials/NNNN (runs in the making), study.json and best.toml.
std::filesystem::path database_file(const std::filesystem::path& study);
std::filesystem::path trial_folder(const std::filesystem::path& study, int number);

/// Makes trials of the study until all are finished: proposes, trains split by split, stops the hopeless
/// ones. Any number of processes may do so at once; a trial that a killed one left behind is taken up where
/// its checkpoints end. The test figures are not looked at. train::Interrupted when should_stop says so.
void work(const std::filesystem::path& study, const std::function<bool()>& should_stop);

/// How well the winner did on test data, once the search was over.
struct FinalFigure {
  int splits = 0;
  train::MeanStd validation;
  train::MeanStd test;
};

/// A study as it stands.
struct Summary {
  StudyRequest request;
  int goal = 0;
  std::vector<Trial> trials;
  std::optional<FinalFigure> final_figure;

  static Summary read(const std::filesystem::path& study);
  int count(TrialState state) const;
  int finished() const;
  /// The completed trial with the best mean validation figure.
  const Trial* best() const;
};

/// What study.json holds.
nlohmann::ordered_json to_json(const Summary& summary, const std::string& command);

/// The winner as `dshn train --preset` takes it, with the study's figures in comments. UsageError where no
/// trial was completed.
std::string preset_text(const Summary& summary, const std::string& command);

}  // namespace dshn::tune
