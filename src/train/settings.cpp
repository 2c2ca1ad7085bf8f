#include "dshn/train/settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/data/features.hpp"
#include "dshn/data/splits.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/figures.hpp"
#include "train/batches.hpp"

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

OptionSpec batch_option() {
  OptionSpec spec = integer_option(
      "batch", 0, 0, 1000000000, {},
      "items that are trained on at once, with samples of what is around them; "
      "0: all; clusters: those of a cluster of nodes, by METIS; blocks: of nodes that follow each other");
  spec.words = {"clusters", "blocks"};
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
      batch_option(),
      integer_option("clusters", 32, 1, 1000000, {}, "how many clusters or blocks there are"),
      text_option(
          "fanout", "10",
          "of batches: how many hyperedges of a node, tails and heads of a hyperedge are drawn, such as "
          "10:5:5; of several layers with commas between, the last for all that follow; all: all",
          fault_of_fanout),
      choice_option("evaluation", "exact", {"exact", "sampled"},
                    "with batches, between epochs: on the whole, or on samples as in training, which needs "
                    "less memory"),
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

}  // namespace dshn::train
