#include "cli/command_tree.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/suggest.hpp"

namespace dshn::cli {
namespace {

/// "TEXT:{a,b}" of a checked option to a and b; nothing where there is no such list.
std::vector<std::string> choices_in(const std::string& type) {
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

/// The kind of a value, without the checks behind it where these do not say more: "TEXT:FILE" is a FILE.
std::string kind_of(const std::string& type) {
  return type == "TEXT:FILE" || type == "TEXT:DIR" ? "FILE" : type.substr(0, type.find(':'));
}

std::vector<std::string> names_of(const CLI::Option& option) {
  if (option.get_positional()) return {option.get_name(true, false)};
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back('-' + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

void add_proposals(Argument& argument, const std::string& type, const Context& context) {
  for (const std::string& name : argument.names) {
    const auto known = context.vocabulary.find(name);
    if (known == context.vocabulary.end()) continue;
    argument.words = known->second.words;
    argument.files = known->second.or_files;
    argument.value = argument.files ? "WHAT" : "NAME";
    return;
  }
  argument.words = choices_in(type);
  argument.files = argument.words.empty() && (argument.value == "TEXT" || argument.value == "FILE");
}

Argument argument_of(const CLI::Option& option, const Context& context) {
  Argument argument;
  argument.names = names_of(option);
  argument.help = option.get_description();
  argument.positional = option.get_positional();
  argument.required = option.get_required();
  argument.repeated = option.get_expected_max() > 1;
  if (option.get_type_size() == 0) return argument;
  argument.value = kind_of(option.get_type_name());
  argument.default_value = option.get_default_str();
  add_proposals(argument, option.get_type_name(), context);
  return argument;
}

}  // namespace

std::string Command::joined(char mark) const {
  std::string text = name;
  std::replace(text.begin(), text.end(), ' ', mark);
  return text;
}

Command command_tree(const CLI::App& app, const Context& context) {
  Command command{full_name(app), app.get_description(), {}, {}};
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) command.arguments.push_back(argument_of(*option, context));
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App* a) { return !a->get_group().empty(); }))
    command.commands.push_back(command_tree(*sub, context));
  return command;
}

std::vector<const Command*> all_commands(const Command& root) {
  std::vector<const Command*> all{&root};
  for (const Command& command : root.commands)
    for (const Command* below : all_commands(command)) all.push_back(below);
  return all;
}

}  // namespace dshn::cli
