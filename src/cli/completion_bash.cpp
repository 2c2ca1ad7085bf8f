#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion_scripts.hpp"

namespace dshn::cli {
namespace {

constexpr const char* kBashScript = R"(# bash completion for dshn; made by: dshn completion bash

_dshn() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
    # Of --flag=value, readline makes three words.
    if [[ $current == '=' ]]; then
        current=
    elif [[ $previous == '=' ]]; then
        previous=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    local command=dshn words='' files='' i
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case "$command ${{COMP_WORDS[i]}}" in
            {commands})
                command+=" ${{COMP_WORDS[i]}}" ;;
        esac
    done
    case "$command $previous" in
{values}        *)
            case "$command" in
{arguments}            esac
            ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    if [[ $files ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -- "$current")
    fi
}}

complete -F _dshn dshn
)";

/// What may stand in one place, as an assignment.
std::string bash_offer(const std::vector<std::string>& words, bool files) {
  return fmt::format("words='{}'{}", fmt::join(words, " "), files ? " files=yes" : "");
}

/// A case for each option with a value: what stands behind it.
std::string bash_values(const Command& command) {
  std::string text;
  for (const Argument& argument : command.arguments) {
    if (argument.positional || argument.value.empty()) continue;
    for (const std::string& name : argument.names)
      text += fmt::format("        '{} {}') {} ;;\n", command.name, name,
                          bash_offer(argument.words, argument.files));
  }
  return text;
}

/// A case for the command: its flags behind a dash, else what its positional arguments may be.
std::string bash_arguments(const Command& command) {
  std::vector<std::string> flags;
  std::vector<std::string> words;
  bool files = false;
  for (const Command& below : command.commands) words.push_back(below.last_word());
  for (const Argument& argument : command.arguments) {
    auto& place = argument.positional ? words : flags;
    const auto& more = argument.positional ? argument.words : argument.names;
    place.insert(place.end(), more.begin(), more.end());
    files = files || (argument.positional && argument.files);
  }
  if (words.empty() && !files)
    return fmt::format("                '{}') {} ;;\n", command.name, bash_offer(flags, false));
  return fmt::format("                '{}') if [[ $current == -* ]]; then {}; else {}; fi ;;\n", command.name,
                     bash_offer(flags, false), bash_offer(words, files));
}

}  // namespace

std::string bash_script(const Command& root) {
  std::vector<std::string> commands;
  std::string values;
  std::string arguments;
  for (const Command* command : all_commands(root)) {
    if (command != &root) commands.push_back(fmt::format("'{}'", command->name));
    values += bash_values(*command);
    arguments += bash_arguments(*command);
  }
  return fmt::format(kBashScript, fmt::arg("commands", fmt::join(commands, " | ")),
                     fmt::arg("values", values), fmt::arg("arguments", arguments));
}

}  // namespace dshn::cli
