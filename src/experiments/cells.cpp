#include "dshn/experiments/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/experiments/cell_figures.hpp"
#include "dshn/experiments/presets.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/file_system.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/train/learned_sheaf.hpp"
#include "dshn/train/run.hpp"
#include "dshn/train/safetensors.hpp"
#include "dshn/tune/study.hpp"
#include "experiments/choice.hpp"
#include "experiments/data_check.hpp"
#include "experiments/documents.hpp"
#include "experiments/stopwatch.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

/// The cell's id, with the seeds where they are others than 0 alone.
std::string name_of(const Recipe& recipe, const Cell& cell) {
  const bool usual = recipe.seed == 0 && recipe.seeds == 1;
  return usual ? cell.id() : cell.id() + "@seeds=" + tune::seed_range(recipe.seed, recipe.seeds);
}

fs::path run_folder(const Recipe& recipe, const Cell& cell) {
  return recipe.folder / "runs" / name_of(recipe, cell);
}

fs::path cell_file(const Recipe& recipe, const std::string& name) {
  return recipe.folder / "cells" / (name + ".json");
}

bool same_run(const train::Settings& a, const train::Settings& b) {
  return a.data == b.data && a.model == b.model && a.splits == b.splits && a.seed == b.seed &&
         a.device == b.device && a.set == b.set;
}

/// Ready for training: what a killed call left there goes on, unless it was asked for otherwise or half removed.
void prepare_run(const train::Settings& settings, const fs::path& folder) {
  bool resume = fs::exists(folder / io::kConfigFile);
  if (resume && !same_run(train::read_config(folder / io::kConfigFile), settings)) {
    resume = false;
  }
  if (!resume) io::remove_tree(folder);
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

/// Where learned charges ended in a split, one for all layers or one per layer; empty where none is learned.
std::vector<double> charges_of(const fs::path& run, int split) {
  const train::TensorFile weights = train::read_safetensors(io::split_folder(run, split) / io::kModelFile);
  const auto found = weights.tensors.find("q");
  if (found == weights.tensors.end()) return {};
  const at::Tensor q = found->second.to(at::kDouble).contiguous();
  return {q.data_ptr<double>(), q.data_ptr<double>() + q.numel()};
}

/// The charges of the directed hyperedges in the last layer of a split, where each has its own; others turn nothing.
std::vector<double> edge_charges_of(const fs::path& run, int split, const train::Settings& settings,
                                    const data::Dataset& dataset) {
  const auto sheaf = train::learned_sheaf(train::load_model(run, split, settings, dataset));
  std::vector<double> charges;
  if (!sheaf || !sheaf->charges.defined()) return charges;
  for (Index e = 0; e < dataset.hypergraph.edge_count(); ++e)
    if (dataset.hypergraph.is_directed(e)) charges.push_back(sheaf->charges[e].item<double>());
  return charges;
}

/// A list of learned charges per split. Of those that each hyperedge has for itself the mean, with their deviation
/// in "charge_spread".
void add_charges(ordered_json& figures, const Recipe& recipe, const Cell& cell,
                 const std::vector<CellRun>& runs) {
  for (const CellRun& run : runs) {
    const train::Settings settings = settings_of(recipe, cell, run);
    const auto q = settings.set.find("q");
    if (q == settings.set.end() || !q->second.starts_with("learn")) return;
    const auto dataset = recipe.shelf->open(settings.data, train::open_options(settings));
    for (int split = 0; split < run.splits; ++split) {
      if (q->second != "learn-per-hyperedge") {
        figures["charges"].push_back(charges_of(run.folder, split));
        continue;
      }
      const Sample sample = sample_of(edge_charges_of(run.folder, split, settings, *dataset));
      if (sample.n == 0) return;
      figures["charges"].push_back(std::vector<double>{sample.mean});
      figures["charge_spread"].push_back(sample.std.value_or(0));
    }
  }
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
  const fs::path folder = run_folder(recipe, cell);
  const Choice choice = choose_options(recipe, cell, should_stop);
  std::vector<CellRun> runs;
  for (int i = 0; i < recipe.seeds; ++i) {
    const std::uint64_t seed = recipe.seed + static_cast<std::uint64_t>(i);
    runs.push_back({choice.options, seed, recipe.splits, folder / "chosen" / std::to_string(seed)});
  }
  const std::vector<TrainedRun> trained = train_cell(recipe, cell, runs, should_stop);
  ordered_json figures{{"chosen", choice.options}};
  if (!choice.study.is_null()) figures["study"] = choice.study;
  add_splits(figures, trained);
  add_charges(figures, recipe, cell, runs);
  return with_figures(std::move(figures));
}

/// On how many splits nothing was searched does not matter.
ordered_json what_counts(ordered_json request) {
  if (request.is_object() && request.value("trials", 1) == 1) request.erase("search_splits");
  return request;
}

bool made_as_asked(const ordered_json& document, const Recipe& recipe, const Cell& cell) {
  if (what_counts(document.value("request", ordered_json())) != what_counts(request_of(recipe, cell)))
    return false;
  const ordered_json preset = preset_of(recipe, cell.data, cell.model).value_or(Assignments{});
  return document.value("preset", preset) == preset;
}

}  // namespace

std::string with_options(std::string name, const Assignments& set) {
  char between = '@';
  for (const auto& [option, value] : set) {
    name += fmt::format("{}{}={}", between, option, value);
    between = ',';
  }
  return name;
}

std::string Cell::id() const {
  return with_options(data + "/" + model, set);
}

std::optional<Assignments> preset_of(const Recipe& recipe, const std::string& data,
                                     const std::string& model) {
  const auto preset = find_preset(recipe.presets, data, model);
  if (!preset) return std::nullopt;
  return preset->set;
}

ordered_json request_of(const Recipe& recipe) {
  ordered_json request{{"splits", recipe.splits},
                       {"trials", recipe.trials},
                       {"search_splits", recipe.search_splits},
                       {"seed", recipe.seed},
                       {"set", recipe.set}};
  if (recipe.seeds > 1) request["seeds"] = recipe.seeds;
  if (recipe.trials > 1)
    request["search"] = {{"seeds", tune::seed_range(recipe.search_seed, recipe.search_seeds)},
                         {"confirm", recipe.confirm},
                         {"sampler", recipe.sampler}};
  return request;
}

ordered_json request_of(const Recipe& recipe, const Cell& cell) {
  ordered_json request = request_of(recipe);
  request["set"] = fixed_options(recipe, cell);
  if (is_searched(recipe, cell)) {
    request["search"]["further_values"] = further_values(recipe, cell);
  } else {
    request["trials"] = 1;
    request.erase("search");
  }
  return request;
}

std::optional<ordered_json> stored_cell(const Recipe& recipe, const Cell& cell) {
  std::vector<std::string> names{name_of(recipe, cell)};
  if (recipe.seeds == 1 || recipe.as_stored) names.push_back(cell.id());  // so were all named before 0.2
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
    if (!stored || stored->contains("failure"))
      missing.push_back(cell);
    else
      check_data(*stored, recipe, cell);
  }
  return missing;
}

void make_cell(const Recipe& recipe, const Cell& cell, const std::function<bool()>& should_stop) {
  ordered_json document{{"data", cell.data},
                        {"model", cell.model},
                        {"request", request_of(recipe, cell)},
                        {"made", provenance(recipe.device)},
                        {"preset", preset_of(recipe, cell.data, cell.model).value_or(Assignments{})}};
  add_digests(document, recipe, cell);
  Stopwatch watch(run_folder(recipe, cell) / "seconds");
  try {
    document.update(figures_of(recipe, cell, [&] {
      watch.tick();
      return should_stop && should_stop();
    }));
    io::remove_tree(run_folder(recipe, cell));
  } catch (const train::Interrupted&) {
    watch.keep();
    throw;
  } catch (const Error& error) {  // diverged, or too large for the memory: the others go on
    document["failure"] = error.what();
  }
  document["seconds"] = watch.seconds();
  document["side_by_side"] = recipe.jobs;
  const fs::path file = cell_file(recipe, name_of(recipe, cell));
  io::make_folders(file.parent_path());
  io::write_file(file, document.dump(2) + "\n");
}

}  // namespace dshn::experiments
