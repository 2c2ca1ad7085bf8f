#include "dshn/experiments/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/data/registry.hpp"
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

fs::path cell_file(const Recipe& recipe, const Cell& cell) {
  return recipe.folder / "cells" / (cell.id() + ".json");
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

/// The figures of several configurations of one cell, trained together.
std::vector<train::RunResult> train_cell(const Recipe& recipe, const Cell& cell,
                                         const std::vector<Assignments>& configurations, int splits,
                                         const fs::path& folder, const std::function<bool()>& should_stop) {
  std::vector<train::Experiment> experiments;
  std::vector<fs::path> folders;
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    train::Settings settings;
    settings.data = cell.data;
    settings.model = cell.model;
    settings.splits = splits;
    settings.seed = recipe.seed;
    settings.device = recipe.device;
    settings.set = configurations[i];
    for (const auto& [name, value] : fixed_options(recipe, cell)) settings.set[name] = value;
    folders.push_back(folder / fmt::format("{:02d}", i));
    prepare_run(settings, folders[i]);
    experiments.emplace_back(recipe.shelf->open(settings.data, train::open_options(settings)), settings);
  }
  std::vector<train::RunRequest> requests;
  for (std::size_t i = 0; i < experiments.size(); ++i) requests.push_back({&experiments[i], folders[i]});
  train::SplitHooks hooks;
  hooks.should_stop = should_stop;
  return train::run_together(requests, hooks);
}

ordered_json percent(const train::MeanStd& figure) {
  return {{"mean", 100 * figure.mean}, {"std", 100 * figure.std}};
}

/// The options that a cell is trained with, and the validation figures that they were chosen by.
struct Choice {
  Assignments options;
  ordered_json tried = {};
};

Choice choose_options(const Recipe& recipe, const Cell& cell, const fs::path& runs,
                      const std::function<bool()>& should_stop) {
  const std::vector<Assignments> drawn = configurations(recipe, cell);
  if (drawn.size() == 1) return {drawn[0]};
  const auto tried = train_cell(recipe, cell, drawn, recipe.search_splits, runs / "trials", should_stop);
  Choice choice;
  for (std::size_t i = 0; i < drawn.size(); ++i)
    choice.tried.push_back({{"set", drawn[i]}, {"validation", percent(tried[i].val)}});
  const auto worse = [](const train::RunResult& a, const train::RunResult& b) {
    return std::pair(a.failure.empty(), a.val.mean) < std::pair(b.failure.empty(), b.val.mean);
  };
  choice.options = drawn[std::max_element(tried.begin(), tried.end(), worse) - tried.begin()];
  return choice;
}

/// Where learned charges ended, a list per split: one charge, or one per layer. Null where none is learned.
ordered_json learned_charges(const fs::path& run, std::size_t splits) {
  ordered_json charges;
  for (std::size_t split = 0; split < splits; ++split) {
    const train::TensorFile weights =
        train::read_safetensors(io::split_folder(run, static_cast<int>(split)) / io::kModelFile);
    const auto found = weights.tensors.find("q");
    if (found == weights.tensors.end()) return nullptr;
    const at::Tensor q = found->second.to(at::kDouble).contiguous();
    charges.push_back(std::vector<double>(q.data_ptr<double>(), q.data_ptr<double>() + q.numel()));
  }
  return charges;
}

ordered_json figures_of(const Recipe& recipe, const Cell& cell, const std::function<bool()>& should_stop) {
  const fs::path runs = recipe.folder / "runs" / cell.id();
  const Choice choice = choose_options(recipe, cell, runs, should_stop);
  const train::RunResult result =
      train_cell(recipe, cell, {choice.options}, recipe.splits, runs / "chosen", should_stop)[0];
  if (!result.failure.empty()) throw Failure(result.failure);
  ordered_json figures{{"chosen", choice.options},
                       {"validation", percent(result.val)},
                       {"test", percent(result.test)},
                       {"parameters", result.parameters},
                       {"epoch_ms", result.epoch_ms}};
  if (!choice.tried.empty()) figures["tried"] = choice.tried;
  for (const train::SplitResult& split : result.splits) figures["splits"].push_back(100 * split.test);
  if (ordered_json charges = learned_charges(runs / "chosen" / "00", result.splits.size());
      !charges.is_null())
    figures["charges"] = std::move(charges);
  fs::remove_all(runs);
  return figures;
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
  if (cell.search && recipe.trials > 1) request["further_values"] = further_values(cell);
  return request;
}

std::optional<ordered_json> stored_cell(const Recipe& recipe, const Cell& cell) {
  std::ifstream file(cell_file(recipe, cell));
  if (!file) return std::nullopt;
  ordered_json document = ordered_json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) return std::nullopt;
  if (recipe.as_stored) return document;
  if (document.value("request", ordered_json()) != request_of(recipe, cell)) return std::nullopt;
  const ordered_json preset = preset_of(recipe, cell.data, cell.model).value_or(Assignments{});
  if (document.value("preset", preset) != preset) return std::nullopt;
  return document;
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
  const fs::path file = cell_file(recipe, cell);
  fs::create_directories(file.parent_path());
  io::write_file(file, document.dump(2) + "\n");
}

}  // namespace dshn::experiments
