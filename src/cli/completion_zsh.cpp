#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion_scripts.hpp"

namespace dshn::cli {
namespace {

constexpr const char* kZshScript = R"zsh(#compdef dshn
# zsh completion for dshn; made by: dshn completion zsh

_dshn_or_files() {{
    _alternative "words:$1:(${{*[2,-1]}})" 'files:file:_files'
}}

{functions}_dshn "$@"
)zsh";

constexpr const char* kZshGroup = R"({function}() {{
    local curcontext=$curcontext state line
    typeset -A opt_args
    local -a commands=({commands})
    _arguments -C {arguments} '1: :->command' '*:: :->rest'
    case $state in
        command) _describe command commands ;;
        rest)
            case $line[1] in
{cases}            esac
            ;;
    esac
}}

)";

/// In single quotes, with a backslash before what means something to _arguments.
std::string zsh_text(const std::string& text, const char* special) {
  std::string out;
  for (const char c : text) {
    if (std::string_view(special).find(c) != std::string_view::npos) out += '\\';
    out += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return out;
}

/// ":WHAT:" and what may stand there.
std::string zsh_values(const Argument& argument) {
  const std::string title = argument.positional ? argument.names[0] : argument.value;
  const std::string words = fmt::format("{}", fmt::join(argument.words, " "));
  if (argument.words.empty()) return fmt::format(":{}:{}", title, argument.files ? "_files" : " ");
  return argument.files ? fmt::format(":{}: _dshn_or_files {} {}", title, title, words)
                        : fmt::format(":{}:({})", title, words);
}

std::string zsh_arguments(const Command& command) {
  std::vector<std::string> specifications;
  for (const Argument& argument : command.arguments) {
    if (argument.positional) {
      specifications.push_back(fmt::format("'{}{}'", argument.repeated ? "*" : "", zsh_values(argument)));
      continue;
    }
    for (const std::string& name : argument.names)
      specifications.push_back(
          fmt::format("'{}{}{}[{}]{}'", argument.repeated ? "*" : "", name, argument.value.empty() ? "" : "=",
                      zsh_text(argument.help, "[]:\\"), argument.value.empty() ? "" : zsh_values(argument)));
  }
  return fmt::format("{}", fmt::join(specifications, " \\\n        "));
}

std::string zsh_function(const Command& command) {
  const std::string function = '_' + command.joined('_');
  if (command.commands.empty())
    return fmt::format("{}() {{\n    _arguments {}\n}}\n\n", function, zsh_arguments(command));
  std::vector<std::string> commands;
  std::string cases;
  for (const Command& below : command.commands) {
    commands.push_back(fmt::format("'{}:{}'", below.last_word(), zsh_text(below.summary, "\\")));
    cases += fmt::format("                {}) _{} ;;\n", below.last_word(), below.joined('_'));
  }
  return fmt::format(kZshGroup, fmt::arg("function", function),
                     fmt::arg("commands", fmt::join(commands, " ")),
                     fmt::arg("arguments", zsh_arguments(command)), fmt::arg("cases", cases));
}

}  // namespace

std::string zsh_script(const Command& root) {
  std::string functions;
  for (const Command* command : all_commands(root)) functions += zsh_function(*command);
  return fmt::format(kZshScript, fmt::arg("functions", functions));
}

}  // namespace dshn::cli
