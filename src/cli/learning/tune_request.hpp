#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/loader_flags.hpp"
#include "dshn/tune/study.hpp"

namespace CLI {
class App;
}

namespace dshn::cli {

/// What the command line of `dshn tune` says about a study. What it does not say is the default in a new
/// study, and left as it is in one that goes on.
struct TuneRequest {
  tune::StudyRequest defaults;
  LoaderFlags loader;
  std::string split;                     // --split, short for --set split=...
  std::vector<std::string> set;          // --set name=value
  std::vector<std::string> space;        // --space name=v1,v2,...
  std::vector<std::string> start_files;  // --start
  int trials = 50;
  CLI::App* command = nullptr;

  bool given(const char* option) const;
  /// What --set and --split say.
  Assignments fixed() const;

  /// Parameters whose values --space gives.
  std::vector<std::string> chosen_names() const;
  /// A new study. UsageError for what does not fit.
  tune::StudyRequest start() const;
  /// Trials to make: all of a grid where nobody says how many. UsageError when the space has fewer
  /// configurations, or when they are fewer than the presets to start with or the trials to confirm.
  int goal(const tune::StudyRequest& request) const;
  /// UsageError, naming the flag and both values, where the command line says otherwise than the study.
  void check_same(const tune::StudyRequest& stored, const std::filesystem::path& study) const;
  /// The stored request with what may change in a study that goes on: the trials to confirm.
  tune::StudyRequest gone_on(tune::StudyRequest stored, const std::filesystem::path& study) const;

 private:
  void start_at_presets(tune::StudyRequest& request) const;
};

void add_request_flags(CLI::App& command, TuneRequest& request);

/// The command that makes this study, whatever the one was that was typed.
std::string command_text(const tune::StudyRequest& request, int trials);

}  // namespace dshn::cli
