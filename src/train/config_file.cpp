#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>

#include "dshn/base/error.hpp"
#include "dshn/base/utf8.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/table.hpp"
#include "dshn/train/settings.hpp"

namespace dshn::train {
namespace {

/// A TOML string. CLI11 reads no escapes, and takes # and quotes inside of a string for its end: these are written
/// by their numbers.
std::string quoted(const std::string& text) {
  if (const std::size_t at = find_invalid_utf8(text); at != std::string::npos)
    throw UsageError(
        fmt::format("{}: byte {} is not UTF-8; a configuration file holds nothing else", text, at));
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        byte >= 0x20 && byte != 0x7f && std::string_view("\"'#\\").find(c) == std::string::npos;
    out += plain ? std::string(1, c) : fmt::format("\\u{:04X}", byte);
  }
  return out + '"';
}

std::string section(const char* name, const Assignments& values) {
  std::string text = fmt::format("[{}]\n", name);
  for (const auto& [key, value] : values) text += fmt::format("{} = {}\n", key, quoted(value));
  return text;
}

/// What quoted() was given.
std::string unescaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::uint32_t number = 0;
    const char* const end = text.data() + std::min<std::size_t>(text.size(), 6);
    const bool escape = text.starts_with("\\u") && text.size() >= 6 &&
                        std::from_chars(text.data() + 2, end, number, 16).ptr == end &&
                        append_utf8(out, number);
    if (!escape) out += text.front();
    text.remove_prefix(escape ? 6 : 1);
  }
  return out;
}

/// The keys of a configuration file, each once, with their values.
std::map<std::string, std::string> entries_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file)
    throw InvalidInput(fmt::format("{}: cannot be read; expected a run's config.toml", path.string()));
  std::map<std::string, std::string> entries;
  for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(file)) {
    if (item.name == "++" || item.name == "--") continue;  // CLI11 marks where a section begins and ends
    const std::string key = item.fullname();
    // CLI11 makes a list of a key that is given twice in a row.
    if (item.inputs.size() != 1 || !entries.emplace(key, unescaped(item.inputs[0])).second)
      throw InvalidInput(fmt::format("{}: {} has several values or none; expected one", path.string(), key));
  }
  return entries;
}

std::uint64_t number(const std::string& key, const std::string& text, const std::filesystem::path& path,
                     std::uint64_t largest) {
  std::uint64_t value = 0;
  if (!io::parse_number(text, value) || value > largest)
    throw InvalidInput(
        fmt::format("{}: {} = {}; expected a whole number from 0 to {}", path.string(), key, text, largest));
  return value;
}

}  // namespace

void write_config(const Settings& settings, const std::filesystem::path& path) {
  io::write_file(path,
                 fmt::format("# The settings of a run, for another one like it.\n"
                             "data = {}\nmodel = {}\nsplits = {}\nseed = {}\ndevice = {}\n{}\n{}{}",
                             quoted(settings.data), quoted(settings.model), settings.splits, settings.seed,
                             quoted(settings.device),
                             settings.preset.empty() ? "" : "preset = " + quoted(settings.preset) + "\n",
                             section("set", settings.set),
                             settings.reading.empty() ? "" : "\n" + section("reading", settings.reading)));
}

std::string preset_section(const Assignments& set) {
  return section("set", set);
}

Settings read_config(const std::filesystem::path& path) {
  constexpr std::string_view kSet = "set.";
  constexpr std::string_view kReading = "reading.";
  Settings settings;
  for (const auto& [key, value] : entries_of(path)) {
    if (key.starts_with(kSet))
      settings.set[key.substr(kSet.size())] = value;
    else if (key.starts_with(kReading))
      settings.reading[key.substr(kReading.size())] = value;
    else if (key == "data")
      settings.data = value;
    else if (key == "model")
      settings.model = value;
    else if (key == "device")
      settings.device = value;
    else if (key == "preset")
      settings.preset = value;
    else if (key == "splits")
      settings.splits = static_cast<int>(number(key, value, path, std::numeric_limits<int>::max()));
    else if (key == "seed")
      settings.seed = number(key, value, path, std::numeric_limits<std::uint64_t>::max());
    else
      throw InvalidInput(fmt::format("{}: unknown key '{}'", path.string(), key));
  }
  return settings;
}

}  // namespace dshn::train
