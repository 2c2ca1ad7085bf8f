#include "dshn/experiments/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/data/registry.hpp"
#include "dshn/experiments/cell_figures.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/run.hpp"
#include "dshn/train/safetensors.hpp"
#include "dshn/tune/sampler.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

/// The cell's id, with the seeds where they are others than 0 alone.
std::string name_of(const Recipe& recipe, const Cell& cell) {
  const bool usual = recipe.seed == 0 && recipe.seeds == 1;
  return usual ? cell.id() : cell.id() + "@seeds=" + seed_range(recipe.seed, recipe.seeds);
}

fs::path cell_file(const Recipe& recipe, const std::string& name) {
  return recipe.folder / "cells" / (name + ".json");
}

/// What the table asks for, and above it what the cell asks for.
Assignments fixed_options(const Recipe& recipe, const Cell& cell) {
  Assignments fixed = recipe.set;
  for (const auto& [name, value] : cell.set) fixed[name] = value;
  return fixed;
}

/// Values that the search of a cell tries beside what the model declares: the reading of it, where its
/// authors' code has another than their mathematics, and, on sets with one feature or none, what stands for
/// features. The paper says neither.
std::map<std::string, std::vector<std::string>> further_values(const Cell& cell) {
  std::map<std::string, std::vector<std::string>> further;
  for (const OptionSpec& spec : models::find_model(cell.model).options)
    if (spec.name == "variant") further["variant"] = {"paper", "authors"};
  const data::Entry* entry = data::find_entry(cell.data);
  if (entry != nullptr && entry->paper && entry->paper->features.value_or(0) <= 1)
    further["features"] = {"auto", "role-degrees", "random"};
  return further;
}

/// What is tried: the preset or the defaults, then what a random search proposes.
std::vector<Assignments> configurations(const Recipe& recipe, const Cell& cell) {
  std::vector<Assignments> all{preset_of(recipe, cell.data, cell.model).value_or(Assignments{})};
  if (!cell.search || recipe.trials <= 1) return all;
  const tune::SearchSpace space = tune::search_space(cell.model, {}, further_values(cell));
  const std::unique_ptr<tune::Sampler> sampler = tune::make_sampler("random", recipe.seed);
  std::vector<tune::Trial> drawn;
  for (int number = 1; number < recipe.trials; ++number) {
    tune::Trial trial;
    trial.number = number;
    trial.set = tune::assignments(space, sampler->propose(space, drawn, number));
    all.push_back(trial.set);
    drawn.push_back(std::move(trial));
  }
  return all;
}

bool same_run(const train::Settings& a, const train::Settings& b) {
  return a.data == b.data && a.model == b.model && a.splits == b.splits && a.seed == b.seed &&
         a.device == b.device && a.set == b.set;
}

/// Ready for training: what a killed call left there goes on, unless it was asked for otherwise.
void prepare_run(const train::Settings& settings, const fs::path& folder) {
  bool resume = fs::exists(folder / io::kConfigFile);
  if (resume && !same_run(train::read_config(folder / io::kConfigFile), settings)) {
    fs::remove_all(folder);
    resume = false;
  }
  train::prepare_folder(settings, folder, resume);
}

/// One training of a cell: options, seed, number of splits, and the folder that it goes to.
struct CellRun {
  Assignments options;
  std::uint64_t seed = 0;
  int splits = 0;
  fs::path folder;
};

/// What it came to, and how many items its splits have on average.
struct TrainedRun {
  std::uint64_t seed = 0;
  train::RunResult result;
  double train_items = 0;
  double test_items = 0;
};

train::Settings settings_of(const Recipe& recipe, const Cell& cell, const CellRun& run) {
  train::Settings settings;
  settings.data = cell.data;
  settings.model = cell.model;
  settings.splits = run.splits;
  settings.seed = run.seed;
  settings.device = recipe.device;
  settings.set = run.options;
  for (const auto& [name, value] : fixed_options(recipe, cell)) settings.set[name] = value;
  return settings;
}

TrainedRun with_sizes(train::RunResult result, const train::Experiment& experiment) {
  TrainedRun trained{experiment.settings.seed, std::move(result)};
  const auto count = static_cast<double>(experiment.splits.size());
  for (const data::Split& split : experiment.splits) {
    trained.train_items += static_cast<double>(split.train.size()) / count;
    trained.test_items += static_cast<double>(split.test.size()) / count;
  }
  return trained;
}

/// Several trainings of one cell, side by side where the device allows it.
std::vector<TrainedRun> train_cell(const Recipe& recipe, const Cell& cell, const std::vector<CellRun>& runs,
                                   const std::function<bool()>& should_stop) {
  std::vector<train::Experiment> experiments;
  experiments.reserve(runs.size());  // requests point at them
  std::vector<train::RunRequest> requests;
  for (const CellRun& run : runs) {
    const train::Settings settings = settings_of(recipe, cell, run);
    prepare_run(settings, run.folder);
    experiments.emplace_back(recipe.shelf->open(settings.data, train::open_options(settings)), settings);
    requests.push_back({&experiments.back(), run.folder});
  }
  train::SplitHooks hooks;
  hooks.should_stop = should_stop;
  std::vector<train::RunResult> results = train::run_together(requests, hooks);
  std::vector<TrainedRun> trained;
  for (std::size_t i = 0; i < runs.size(); ++i)
    trained.push_back(with_sizes(std::move(results[i]), experiments[i]));
  return trained;
}

/// The options that a cell is trained with, and the validation figures that they were chosen by.
struct Choice {
  Assignments options;
  ordered_json tried = {};
};

/// In per cent, over the splits on which options are chosen.
ordered_json validation_of(const train::RunResult& result) {
  std::vector<double> values;
  for (const train::SplitResult& split : result.splits) values.push_back(100 * split.val);
  return figure_json(sample_of(values));
}

Choice choose_options(const Recipe& recipe, const Cell& cell, const fs::path& runs,
                      const std::function<bool()>& should_stop) {
  const std::vector<Assignments> drawn = configurations(recipe, cell);
  if (drawn.size() == 1) return {drawn[0]};
  std::vector<CellRun> attempts;
  for (std::size_t i = 0; i < drawn.size(); ++i)
    attempts.push_back(
        {drawn[i], recipe.seed, recipe.search_splits, runs / "trials" / fmt::format("{:02d}", i)});
  const std::vector<TrainedRun> tried = train_cell(recipe, cell, attempts, should_stop);
  Choice choice;
  for (std::size_t i = 0; i < drawn.size(); ++i)
    choice.tried.push_back({{"set", drawn[i]}, {"validation", validation_of(tried[i].result)}});
  const auto worse = [](const TrainedRun& a, const TrainedRun& b) {
    return std::pair(a.result.failure.empty(), a.result.val.mean) <
           std::pair(b.result.failure.empty(), b.result.val.mean);
  };
  choice.options = drawn[std::max_element(tried.begin(), tried.end(), worse) - tried.begin()];
  return choice;
}

/// Where learned charges ended, a list per split: one charge, or one per layer. Null where none is learned.
ordered_json learned_charges(const std::vector<CellRun>& runs, const std::vector<TrainedRun>& trained) {
  ordered_json charges;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const train::SplitResult& split : trained[i].result.splits) {
      const train::TensorFile weights =
          train::read_safetensors(io::split_folder(runs[i].folder, split.split) / io::kModelFile);
      const auto found = weights.tensors.find("q");
      if (found == weights.tensors.end()) return nullptr;
      const at::Tensor q = found->second.to(at::kDouble).contiguous();
      charges.push_back(std::vector<double>(q.data_ptr<double>(), q.data_ptr<double>() + q.numel()));
    }
  }
  return charges;
}

/// The figures of every split of every seed, in per cent, and the sizes of a split's parts.
void add_splits(ordered_json& figures, const std::vector<TrainedRun>& trained) {
  const auto seeds = static_cast<double>(trained.size());
  double train_items = 0;
  double test_items = 0;
  double epoch_ms = 0;
  for (const TrainedRun& run : trained) {
    if (!run.result.failure.empty()) throw Failure(run.result.failure);
    for (const train::SplitResult& split : run.result.splits)
      figures["splits"].push_back({{"seed", run.seed},
                                   {"split", split.split},
                                   {"test", 100 * split.test},
                                   {"validation", 100 * split.val}});
    train_items += run.train_items / seeds;
    test_items += run.test_items / seeds;
    epoch_ms += run.result.epoch_ms / seeds;
  }
  figures["items"] = {{"train", train_items}, {"test", test_items}};
  figures["parameters"] = trained[0].result.parameters;
  figures["epoch_ms"] = epoch_ms;
}

ordered_json figures_of(const Recipe& recipe, const Cell& cell, const std::function<bool()>& should_stop) {
  const fs::path folder = recipe.folder / "runs" / name_of(recipe, cell);
  const Choice choice = choose_options(recipe, cell, folder, should_stop);
  std::vector<CellRun> runs;
  for (int i = 0; i < recipe.seeds; ++i) {
    const std::uint64_t seed = recipe.seed + static_cast<std::uint64_t>(i);
    runs.push_back({choice.options, seed, recipe.splits, folder / "chosen" / std::to_string(seed)});
  }
  const std::vector<TrainedRun> trained = train_cell(recipe, cell, runs, should_stop);
  ordered_json figures{{"chosen", choice.options}};
  if (!choice.tried.empty()) figures["tried"] = choice.tried;
  add_splits(figures, trained);
  if (ordered_json charges = learned_charges(runs, trained); !charges.is_null())
    figures["charges"] = std::move(charges);
  fs::remove_all(folder);
  return with_figures(std::move(figures));
}

/// The document of a file, where it is one.
std::optional<ordered_json> read_cell(const fs::path& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  ordered_json document = ordered_json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) return std::nullopt;
  return document;
}

bool made_as_asked(const ordered_json& document, const Recipe& recipe, const Cell& cell) {
  if (document.value("request", ordered_json()) != request_of(recipe, cell)) return false;
  const ordered_json preset = preset_of(recipe, cell.data, cell.model).value_or(Assignments{});
  return document.value("preset", preset) == preset;
}

}  // namespace

std::string Cell::id() const {
  std::string id = data + "/" + model;
  char between = '@';
  for (const auto& [name, value] : set) {
    id += fmt::format("{}{}={}", between, name, value);
    between = ',';
  }
  return id;
}

std::string seed_range(std::uint64_t first, int count) {
  const std::uint64_t last = first + static_cast<std::uint64_t>(count - 1);
  return count == 1 ? std::to_string(first) : fmt::format("{}-{}", first, last);
}

std::optional<Assignments> preset_of(const Recipe& recipe, const std::string& data,
                                     const std::string& model) {
  const fs::path file = recipe.presets / data / (model + ".toml");
  if (recipe.presets.empty() || !fs::exists(file)) return std::nullopt;
  return train::read_config(file).set;
}

ordered_json request_of(const Recipe& recipe, const Cell& cell) {
  ordered_json request{{"splits", recipe.splits},
                       {"trials", cell.search ? recipe.trials : 1},
                       {"search_splits", recipe.search_splits},
                       {"seed", recipe.seed},
                       {"set", fixed_options(recipe, cell)}};
  if (recipe.seeds > 1) request["seeds"] = recipe.seeds;
  if (cell.search && recipe.trials > 1) request["further_values"] = further_values(cell);
  return request;
}

std::optional<ordered_json> stored_cell(const Recipe& recipe, const Cell& cell) {
  std::vector<std::string> names{name_of(recipe, cell)};
  if (recipe.seeds == 1) names.push_back(cell.id());  // so were all named before 0.2
  for (const std::string& name : names) {
    const auto document = read_cell(cell_file(recipe, name));
    if (document && (recipe.as_stored || made_as_asked(*document, recipe, cell)))
      return with_figures(*document);
  }
  return std::nullopt;
}

std::vector<Cell> missing_cells(const Recipe& recipe, const std::vector<Cell>& cells) {
  std::vector<Cell> missing;
  if (recipe.as_stored) return missing;
  for (const Cell& cell : cells) {
    const auto stored = stored_cell(recipe, cell);
    if (!stored || stored->contains("failure")) missing.push_back(cell);
  }
  return missing;
}

void make_cell(const Recipe& recipe, const Cell& cell, const std::function<bool()>& should_stop) {
  ordered_json document{{"data", cell.data},
                        {"model", cell.model},
                        {"request", request_of(recipe, cell)},
                        {"made", provenance(recipe.device)},
                        {"preset", preset_of(recipe, cell.data, cell.model).value_or(Assignments{})}};
  try {
    document.update(figures_of(recipe, cell, should_stop));
  } catch (const train::Interrupted&) {
    throw;
  } catch (const Error& error) {  // diverged, or too large for the memory: the others go on
    document["failure"] = error.what();
  }
  const fs::path file = cell_file(recipe, name_of(recipe, cell));
  fs::create_directories(file.parent_path());
  io::write_file(file, document.dump(2) + "\n");
}

}  // namespace dshn::experiments
