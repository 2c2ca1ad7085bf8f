#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion_scripts.hpp"

namespace dshn::cli {
namespace {

constexpr const char* kFishScript = R"(# fish completion for dshn; made by: dshn completion fish

function __dshn_at --description 'Whether the words so far name this command'
    set -l command dshn
    for word in (commandline -opc)[2..-1]
        switch "$command $word"
            case {commands}
                set command "$command $word"
        end
    end
    test "$command" = "$argv"
end

complete -c dshn -f
{lines})";

std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + '\'';
}

std::string fish_flag(const std::string& name) {
  return name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
}

/// What is offered where the words so far name the command.
std::string fish_line(const Command& command, const std::string& what, const std::string& help) {
  return fmt::format("complete -c dshn -n '__dshn_at {}'{} -d {}\n", command.name, what, fish_quoted(help));
}

/// What may stand for the value, if there is one: files only where they may.
std::string fish_values(const Argument& argument) {
  std::string text;
  if (!argument.positional && !argument.value.empty()) text += argument.files ? " -r" : " -x";
  if (argument.files) text += " -F";
  return argument.words.empty() ? text : text + fmt::format(" -a '{}'", fmt::join(argument.words, " "));
}

std::string fish_lines(const Command& command) {
  std::string text;
  for (const Command& below : command.commands)
    text += fish_line(command, " -a " + below.last_word(), below.summary);
  for (const Argument& argument : command.arguments) {
    const std::string values = fish_values(argument);
    if (argument.positional && !values.empty()) text += fish_line(command, values, argument.help);
    if (argument.positional) continue;
    for (const std::string& name : argument.names)
      text += fish_line(command, fish_flag(name) + values, argument.help);
  }
  return text;
}

}  // namespace

std::string fish_script(const Command& root) {
  std::vector<std::string> commands;
  std::string lines;
  for (const Command* command : all_commands(root)) {
    if (command != &root) commands.push_back(fish_quoted(command->name));
    lines += fish_lines(*command);
  }
  return fmt::format(kFishScript, fmt::arg("commands", fmt::join(commands, " ")), fmt::arg("lines", lines));
}

}  // namespace dshn::cli
