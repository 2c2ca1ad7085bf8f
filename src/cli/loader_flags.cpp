#include "cli/loader_flags.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "cli/progress.hpp"
#include "dshn/base/error.hpp"
#include "dshn/data/reading.hpp"

namespace dshn::cli {
namespace {

/// As a shell takes it for one word.
std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_of(" \t\n'\"\\$`&|;<>()*?[]#~!{}") == std::string::npos;
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + '\'';
}

}  // namespace

std::string reading_flag(const std::string& option) {
  std::string flag = "--" + option;
  std::ranges::replace(flag, '_', '-');
  return flag;
}

std::string reading_words(const Assignments& reading) {
  std::string words;
  for (const auto& [name, value] : reading)
    words += fmt::format(" {} {}", reading_flag(name), shell_word(value));
  return words;
}

void LoaderFlags::add_to(CLI::App& command) {
  for (const OptionSpec& spec : data::reading_options()) {
    CLI::Option* const option =
        command
            .add_option_function<std::string>(
                reading_flag(spec.name),
                [this, name = spec.name](const std::string& value) { given_[name] = value; }, spec.help)
            ->group("Reading");
    if (spec.kind == OptionSpec::Kind::choice) {
      option->check(CLI::IsMember(spec.words))->default_str(spec.default_value);
    } else {
      option->check([fault = spec.fault](const std::string& value) {
        return fault == nullptr ? std::string() : fault(value);
      });
    }
  }
}

data::Dataset LoaderFlags::open(const std::string& what, const Context& context) const {
  ProgressBar bar(context.err, "reading " + what);
  data::OpenOptions options = data::open_options(given_);
  options.load.progress = [&bar](std::int64_t done, std::int64_t total) { bar.update(done, total); };
  return data::open(what, options);
}

void refuse_standard_input(const std::string& data, const Assignments& reading, const std::string& what) {
  const auto is_read_once = [](const std::string& path) {
    std::error_code ignored;
    return path == "-" || std::filesystem::is_fifo(path, ignored);
  };
  if (is_read_once(data) ||
      std::ranges::any_of(reading, [&](const auto& option) { return is_read_once(option.second); }))
    throw UsageError(fmt::format(
        "{}: several processes read the data, which standard input cannot give, and no pipe; save it "
        "to a file first",
        what));
}

void print_remarks(const data::Dataset& dataset, const Context& context) {
  for (const std::string& line : dataset.notes) context.note(line);
  for (const std::string& line : dataset.warnings) context.warn(line);
}

}  // namespace dshn::cli
