#include "cli/man_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "dshn/base/utf8.hpp"

namespace dshn::cli {
namespace {

/// Text in which troff finds nothing to interpret.
std::string troff(std::string_view text) {
  std::string out = !text.empty() && text[0] == '.' ? "\\&" : "";
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (c.bytes > 1)
      out += fmt::format("\\[u{:04X}]", static_cast<std::uint32_t>(c.value));
    else if (text[0] == '\\')
      out += "\\e";
    else if (text[0] == '-')
      out += "\\-";
    else if (text[0] == '\'')
      out += "\\(aq";
    else
      out += text[0];
    text.remove_prefix(std::max<std::size_t>(c.bytes, 1));
  }
  return out;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string page_name(const Command& command) {
  return fmt::format("\\fB{}\\fR(1)", troff(command.joined()));
}

/// "dshn: what it is about." without its first word and its full stop; the one line of all other commands.
std::string line_of(const Command& command) {
  const std::string first = command.summary.substr(0, command.summary.find('\n'));
  return first.starts_with("dshn: ") ? first.substr(6, first.rfind('.') - 6) : first;
}

std::string synopsis(const Command& command) {
  std::string text = fmt::format("\\fB{}\\fR [\\fIoptions\\fR]", troff(command.name));
  if (!command.commands.empty()) text += " \\fIcommand\\fR";
  for (const Argument& argument : command.arguments) {
    if (!argument.positional) continue;
    const std::string name =
        fmt::format("\\fI{}\\fR{}", troff(argument.names[0]), argument.repeated ? "..." : "");
    text += ' ' + (argument.required ? name : '[' + name + ']');
  }
  return text;
}

std::string entry(const Argument& argument) {
  std::vector<std::string> names;
  for (const std::string& name : argument.names)
    names.push_back(fmt::format("\\f{}{}\\fR", argument.positional ? 'I' : 'B', troff(name)));
  std::string text = fmt::format(".TP\n{}", fmt::join(names, ", "));
  if (!argument.positional && !argument.value.empty())
    text += fmt::format(" \\fI{}\\fR{}", troff(argument.value), argument.repeated ? " ..." : "");
  text += '\n' + troff(argument.help) + ".\n";
  if (!argument.words.empty() && !argument.files)
    text += fmt::format("One of: {}.\n", troff(fmt::format("{}", fmt::join(argument.words, ", "))));
  if (!argument.default_value.empty()) text += fmt::format("Default: {}.\n", troff(argument.default_value));
  return text;
}

std::string arguments_section(const Command& command, bool positional) {
  std::string text;
  for (const Argument& argument : command.arguments)
    if (argument.positional == positional) text += entry(argument);
  return text.empty() ? "" : fmt::format(".SH {}\n{}", positional ? "ARGUMENTS" : "OPTIONS", text);
}

std::string commands_section(const Command& command) {
  std::string text;
  for (const Command& below : command.commands)
    text += fmt::format(".TP\n{}\n{}.\n", page_name(below), troff(line_of(below)));
  return text.empty() ? "" : ".SH COMMANDS\n" + text;
}

std::string description_section(const Command& command) {
  const std::size_t more = command.summary.find("\n\n");
  return more == std::string::npos
             ? ""
             : fmt::format(".SH DESCRIPTION\n{}\n", troff(command.summary.substr(more + 2)));
}

std::string footer_sections(const std::string& footer) {
  std::string text;
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    text += fmt::format(".SH {}\n{}\n", upper(line.substr(0, colon)), troff(line.substr(colon + 2)));
  }
  return text;
}

/// The commands above it, or of the program itself those under it.
std::string see_also(const Command& command, const Command& root) {
  std::vector<std::string> pages;
  for (const Command* other : all_commands(root))
    if (other != &command && (&command == &root || command.name.starts_with(other->name + ' ')))
      pages.push_back(page_name(*other));
  return fmt::format(".SH SEE ALSO\n{}\n", fmt::join(pages, ", "));
}

}  // namespace

std::string man_page(const Command& command, const Command& root, const std::string& footer) {
  return fmt::format(".TH \"{}\" 1 \"\" \"dshn {}\" \"dshn manual\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n",
                     troff(upper(command.joined())), troff(DSHN_VERSION), troff(command.joined()),
                     troff(line_of(command)), synopsis(command)) +
         description_section(command) + commands_section(command) + arguments_section(command, true) +
         arguments_section(command, false) + footer_sections(footer) + see_also(command, root);
}

}  // namespace dshn::cli
