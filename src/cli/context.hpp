#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal.hpp"
#include "dshn/data/dataset_shelf.hpp"

namespace dshn::cli {

/// Exit statuses of the program.
enum Exit : int { kDone = 0, kFailed = 1, kWrongUsage = 2, kBadInput = 3 };

/// What may stand for an argument: these words and, where it says so, the names of files.
struct Vocabulary {
  std::vector<std::string> words;
  bool or_files = false;
};

/// What every command is given: where its words go, and the place for what it will do.
struct Context {
  Terminal out;
  Terminal err;
  /// Set by the command that the command line names, run once the whole line has been understood.
  std::function<void()> action = {};
  /// By the names of arguments, the same in all commands; what a declaration itself says is not repeated here.
  std::map<std::string, Vocabulary> vocabulary = {};
  /// Where the line about an error goes: whoever starts several copies of this program may keep theirs for itself.
  int errors_to = 2;
  /// Data sets that the command has opened: each once.
  std::shared_ptr<data::DatasetShelf> shelf = std::make_shared<data::DatasetShelf>();

  /// Standard output. A reader that went away is no error; a full disk is a Failure.
  void print(std::string_view text) const;
  /// One document, indented, and a newline.
  void print_json(const nlohmann::ordered_json& document) const;
  /// One line on standard error each, kept on one line whatever the text holds.
  void note(std::string_view text) const;
  void warn(std::string_view text) const;
  void error(std::string_view text) const;

 private:
  void say(const std::string& line) const;
};

}  // namespace dshn::cli
