#include "dshn/train/settings.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>

#include "dshn/base/error.hpp"
#include "dshn/base/spelling.hpp"
#include "dshn/data/features.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/models/registry.hpp"

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

/// A TOML string. CLI11 reads both kinds of quotes and no escapes.
std::string quoted(const std::string& text) {
  const bool double_quote = text.find_first_of("\"\\") != std::string::npos;
  if (!double_quote) return '"' + text + '"';
  if (text.find('\'') == std::string::npos) return '\'' + text + '\'';
  throw UsageError(
      fmt::format("{}: a path with both kinds of quotes cannot be written to config.toml", text));
}

template <typename T>
T number(const CLI::ConfigItem& item, const std::filesystem::path& path) {
  T value{};
  const std::string& text = item.inputs.empty() ? std::string() : item.inputs[0];
  if (!CLI::detail::lexical_cast(text, value)) {
    throw InvalidInput(fmt::format("{}: {} = {} is not a number", path.string(), item.name, text));
  }
  return value;
}

std::vector<std::string> feature_words() {
  std::vector<std::string> words = data::feature_kind_names();
  words.insert(words.begin(), "auto");
  return words;
}

}  // namespace

const std::vector<OptionSpec>& training_options() {
  static const std::vector<OptionSpec> specs{
      real_option("lr", 0.01, 1e-7, 10, {"0.02", "0.01", "0.005", "0.001"}, "learning rate of Adam"),
      real_option("weight_decay", 5e-4, 0, 1, {"0", "5e-5", "5e-4"}, "weight decay (L2) of Adam"),
      integer_option("epochs", 500, 1, 1000000, {}, "epochs at most"),
      integer_option("patience", 200, 1, 1000000, {},
                     "stop after so many epochs without a better validation"),
      choice_option("metric", "auto", {"auto", "accuracy", "macro-f1", "micro-f1", "weighted-f1"},
                    "what validation maximises; auto: accuracy for nodes, macro-f1 for hyperedges"),
      flag_option("class_weights", false, "weigh the loss by inverse class frequency in training"),
      combination_option("features", "auto", feature_words(),
                         "node features, side by side; auto: stored ones, else the degree"),
      choice_option("scaling", "auto", {"auto", "none", "standardise", "normalise-rows"},
                    "of the features; auto: standardise degrees and random ones, keep the others"),
      integer_option("spectral_columns", 16, 1, 1024, {},
                     "of features=spectral: how many leading eigenvectors of the operator with trivial maps"),
      real_option("spectral_charge", 0.25, -0.5, 0.5, {},
                  "of features=spectral: the operator's charge; 0: real parts alone"),
      choice_option("split", "auto", {"auto", "published", "repeated", "random", "stratified", "per-class"},
                    "how items are divided; auto: the data set's protocol; repeated: published splits, again "
                    "with other initial weights where more are asked for"),
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

void write_config(const Settings& settings, const std::filesystem::path& path) {
  std::string text = fmt::format(
      "# The settings of a run, for another one like it.\n"
      "data = {}\nmodel = {}\nsplits = {}\nseed = {}\ndevice = {}\n\n[set]\n",
      quoted(settings.data), quoted(settings.model), settings.splits, settings.seed, quoted(settings.device));
  for (const auto& [name, value] : settings.set) text += fmt::format("{} = {}\n", name, quoted(value));
  io::write_file(path, text);
}

Settings read_config(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file)
    throw InvalidInput(fmt::format("{}: cannot be read; expected a run's config.toml", path.string()));
  Settings settings;
  for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(file)) {
    if (item.name == "++" || item.name == "--") continue;  // CLI11 marks where a section begins and ends
    const std::string value = item.inputs.empty() ? "" : item.inputs[0];
    if (item.parents == std::vector<std::string>{"set"})
      settings.set[item.name] = value;
    else if (item.name == "data")
      settings.data = value;
    else if (item.name == "model")
      settings.model = value;
    else if (item.name == "device")
      settings.device = value;
    else if (item.name == "splits")
      settings.splits = number<int>(item, path);
    else if (item.name == "seed")
      settings.seed = number<std::uint64_t>(item, path);
    else
      throw InvalidInput(fmt::format("{}: unknown key '{}'", path.string(), item.fullname()));
  }
  return settings;
}

}  // namespace dshn::train
