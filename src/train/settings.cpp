#include "dshn/train/settings.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>

#include "dshn/base/error.hpp"
#include "dshn/base/utf8.hpp"
#include "dshn/data/features.hpp"
#include "dshn/data/splits.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/table.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/figures.hpp"

namespace dshn::train {
namespace {

bool is_training_option(const std::string& name) {
  const auto& specs = training_options();
  return std::any_of(specs.begin(), specs.end(), [&](const OptionSpec& spec) { return spec.name == name; });
}

Assignments chosen(const Assignments& all, bool training) {
  Assignments result;
  for (const auto& [name, value] : all) {
    if (is_training_option(name) == training) result[name] = value;
  }
  return result;
}

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

std::vector<std::string> feature_words() {
  std::vector<std::string> words = data::feature_kind_names();
  words.insert(words.begin(), "auto");
  return words;
}

std::vector<std::string> metric_words() {
  std::vector<std::string> words = metric_names();
  words.insert(words.begin(), "auto");
  return words;
}

OptionSpec split_option() {
  OptionSpec spec = text_option("split", "auto",
                                "how items are divided; auto: the data set's protocol; repeated: published "
                                "splits, again with other initial "
                                "weights where more are asked for; 60/20/20: shares in per cent",
                                data::fault_of_split);
  spec.words = data::split_words();
  return spec;
}

}  // namespace

const std::vector<OptionSpec>& training_options() {
  static const std::vector<OptionSpec> specs{
      real_option("lr", 0.01, 1e-7, 10, {"0.02", "0.01", "0.005", "0.001"}, "learning rate of Adam"),
      real_option("weight_decay", 5e-4, 0, 1, {"0", "5e-5", "5e-4"}, "weight decay (L2) of Adam"),
      integer_option("epochs", 500, 1, 1000000, {}, "epochs at most"),
      integer_option("patience", 200, 1, 1000000, {},
                     "stop after so many epochs without a better validation"),
      choice_option("metric", "auto", metric_words(),
                    "what validation goes by; auto: accuracy for nodes, macro-f1 for hyperedges; r2 for "
                    "numbers, micro-f1 for several labels"),
      flag_option("class_weights", false,
                  "weigh the loss by inverse frequency, in training, of classes or of several labels"),
      combination_option(
          "features", "auto", feature_words(),
          "node features, side by side; auto: stored ones, else degrees, by role where there is direction"),
      choice_option("scaling", "auto", {"auto", "none", "standardise", "normalise-rows"},
                    "of the features; auto: standardise degrees and random ones, keep the others"),
      integer_option("spectral_columns", 16, 1, 1024, {},
                     "of features=spectral: how many leading eigenvectors of the operator with trivial maps"),
      real_option("spectral_charge", 0.25, -0.5, 0.5, {},
                  "of features=spectral: the operator's charge; 0: real parts alone"),
      split_option(),
      choice_option("precision", "float32", {"float32", "float64", "tf32"},
                    "of parameters and signals; tf32: float32 with products on a GPU's tensor cores"),
      flag_option("cuda_graph", true,
                  "on a GPU, record an epoch and play it again: the same numbers with one launch"),
  };
  return specs;
}

Options Settings::training() const {
  return {training_options(), chosen(set, true)};
}

Options Settings::model_options() const {
  return {models::find_model(model).options, chosen(set, false)};
}

Assignments Settings::all_options() const {
  Assignments all = training().values();
  all.merge(Assignments(model_options().values()));
  return all;
}

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

void check_stored(const Settings& settings, const std::filesystem::path& where) {
  if (settings.data.empty()) throw InvalidInput(fmt::format("{}: names no data set", where.string()));
  try {
    static_cast<void>(settings.all_options());
  } catch (const UsageError& error) {
    throw InvalidInput(fmt::format("{}: {}", where.string(), error.what()));
  }
  if (settings.device != "auto" && settings.device != "cpu" && settings.device != "cuda")
    throw InvalidInput(
        fmt::format("{}: device {}; expected auto, cpu or cuda", where.string(), settings.device));
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
