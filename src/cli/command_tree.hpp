#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace dshn::cli {

/// A flag, an option with a value, or a positional argument, as its command declares it.
struct Argument {
  std::vector<std::string> names;  // "--data"; of a positional argument its one name
  std::string value;               // what its value is called; empty for a flag
  std::string help;
  std::string default_value;
  bool positional = false;
  bool required = false;
  bool repeated = false;
  std::vector<std::string> words;  // that may stand for its value
  bool files = false;              // whether its value may be the name of a file
};

/// A command with those under it: what completions and manual pages are made of.
struct Command {
  std::string name;  // "dshn data info"
  std::string summary;
  std::vector<Argument> arguments;
  std::vector<Command> commands;

  /// "info"
  std::string last_word() const { return name.substr(name.rfind(' ') + 1); }
  /// "dshn-data-info", or with another mark.
  std::string joined(char mark = '-') const;
};

/// All that `app` declares, less what is hidden. Values are known by what the declaration says, and by the
/// words that the context has for the names of arguments.
Command command_tree(const CLI::App& app, const Context& context);

/// The command and all below it, each before those under it.
std::vector<const Command*> all_commands(const Command& root);

}  // namespace dshn::cli
