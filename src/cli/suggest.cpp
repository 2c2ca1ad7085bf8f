#include "cli/suggest.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "dshn/base/spelling.hpp"

namespace dshn::cli {

std::string full_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : full_name(*parent) + ' ' + app.get_name();
}
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string unknown(const std::string& kind, const std::string& word, const CLI::App& app,
                    const std::vector<std::string>& choices) {
  const auto meant = nearest(word, choices);
  const std::string advice = meant ? fmt::format("did you mean {}?", *meant)
                                   : fmt::format("'{} --help' lists what there is", full_name(app));
  return fmt::format("{} has no {} '{}'; {}", full_name(app), kind, word, advice);
}

}  // namespace

std::optional<std::string> explain_unknown(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App* command = &app;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--") return std::nullopt;
    if (word.size() > 1 && word[0] == '-') {
      const std::size_t equals = word.find('=');
      const std::string name = word.substr(0, equals);
      const CLI::Option* option = command->get_option_no_throw(name);
      if (option == nullptr) return unknown("option", name, *command, option_names(*command));
      // The next word is this option's value, not a command.
      if (equals == std::string::npos && option->get_type_size() > 0) ++i;
      continue;
    }
    const std::vector<std::string> commands = command_names(*command);
    if (commands.empty()) continue;
    if (std::find(commands.begin(), commands.end(), word) == commands.end()) {
      return unknown("command", word, *command, commands);
    }
    command = command->get_subcommand(word);
  }
  return std::nullopt;
}

}  // namespace dshn::cli
