#include "dshn/experiments/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "dshn/data/open.hpp"
#include "dshn/data/registry.hpp"
#include "dshn/hypergraph/error.hpp"
#include "dshn/hypergraph/random.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/run.hpp"
#include "dshn/tune/space.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;

std::filesystem::path cell_file(const Comparison& comparison, const CellName& cell) {
  return comparison.folder / "cells" / cell.data / (cell.model + ".json");
}

/// Everything that decides what a cell comes to: a stored one that was asked for otherwise is made again.
ordered_json request_of(const Comparison& comparison) {
  return {{"splits", comparison.splits},
          {"trials", comparison.trials},
          {"search_splits", comparison.search_splits},
          {"seed", comparison.seed},
          {"set", comparison.set}};
}

std::optional<ordered_json> stored_cell(const Comparison& comparison, const CellName& cell) {
  std::ifstream file(cell_file(comparison, cell));
  if (!file) return std::nullopt;
  ordered_json document = ordered_json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object() || document.value("request", ordered_json()) != request_of(comparison))
    return std::nullopt;
  return document;
}

/// The preset of the cell, if there is one.
models::Assignments preset_of(const Comparison& comparison, const CellName& cell) {
  const std::filesystem::path file = comparison.presets / cell.data / (cell.model + ".toml");
  if (comparison.presets.empty() || !std::filesystem::exists(file)) return {};
  return train::read_config(file).set;
}

/// Options of trial number `trial`: the preset first, then draws from the model's search space.
models::Assignments draw(const Comparison& comparison, const CellName& cell, int trial) {
  if (trial == 0) return preset_of(comparison, cell);
  Random random = Random(comparison.seed).fork(static_cast<std::uint64_t>(trial));
  const tune::Space space = tune::search_space(cell.model);
  return tune::assignments(space, tune::draw(space, random));
}

/// The figures of several configurations of one cell, trained together.
std::vector<train::RunResult> train_cell(const Comparison& comparison, const CellName& cell,
                                         const std::vector<models::Assignments>& configurations, int splits,
                                         const std::filesystem::path& folder,
                                         const std::function<bool()>& should_stop) {
  std::vector<train::Experiment> experiments;
  std::vector<std::filesystem::path> folders;
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    train::Settings settings;
    settings.data = cell.data;
    settings.model = cell.model;
    settings.splits = splits;
    settings.seed = comparison.seed;
    settings.device = comparison.device;
    settings.set = configurations[i];
    for (const auto& [name, value] : comparison.set) settings.set[name] = value;
    folders.push_back(folder / fmt::format("{:02d}", i));
    train::prepare_folder(settings, folders[i], std::filesystem::exists(folders[i] / "config.toml"));
    experiments.emplace_back(settings);
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

ordered_json paper_figure(const CellName& cell) {
  const data::Entry* entry = data::find_entry(cell.data);
  const std::string& title = models::find_model(cell.model).title;
  if (entry == nullptr) return nullptr;
  for (const data::PaperResult& row : entry->results) {
    if (row.model != title) continue;
    if (!row.score) return "out of memory";
    return {{"mean", row.score->mean}, {"std", row.score->std}};
  }
  return nullptr;
}

bool is_there(const std::string& name) {
  try {
    data::open(name, {});
    return true;
  } catch (const InvalidInput&) {
    return false;
  }
}

/// "88.65 ± 5.54", or what stands for it.
std::string figure_text(const ordered_json& figure) {
  if (figure.is_null()) return "–";
  if (figure.is_string()) return "OOM";
  return fmt::format("{:.2f} ± {:.2f}", figure["mean"].get<double>(), figure["std"].get<double>());
}

}  // namespace

Comparison named_comparison(const std::string& name) {
  Comparison comparison;
  comparison.name = name;
  for (const data::Entry& entry : data::registry()) {
    const bool synthetic = entry.name.substr(0, 9) == "synthetic";
    const bool wanted = name == "synthetic" ? synthetic : !synthetic;
    if (wanted && entry.task == data::Task::node_classification && !entry.results.empty())
      comparison.data.emplace_back(entry.name);
  }
  for (const models::ModelEntry& entry : models::all_models()) {
    if (!entry.is_rule || name == "synthetic") comparison.models.push_back(entry.name);
  }
  if (name != "real-world" && name != "synthetic")
    throw UsageError(fmt::format("unknown table '{}'; there are real-world and synthetic", name));
  return comparison;
}

std::vector<CellName> missing_cells(const Comparison& comparison, std::vector<std::string>& absent) {
  std::vector<CellName> missing;
  for (const std::string& name : comparison.data) {
    if (!is_there(name)) {
      absent.push_back(name);
      continue;
    }
    for (const std::string& model : comparison.models) {
      if (!stored_cell(comparison, {name, model})) missing.push_back({name, model});
    }
  }
  return missing;
}

void make_cell(const Comparison& comparison, const CellName& cell, const std::function<bool()>& should_stop) {
  const std::filesystem::path runs = comparison.folder / "runs" / cell.data / cell.model;
  std::vector<models::Assignments> drawn;
  for (int trial = 0; trial < std::max(1, comparison.trials); ++trial)
    drawn.push_back(draw(comparison, cell, trial));
  models::Assignments best = drawn[0];
  if (drawn.size() > 1) {
    const auto tried =
        train_cell(comparison, cell, drawn, comparison.search_splits, runs / "trials", should_stop);
    const auto worse = [](const train::RunResult& a, const train::RunResult& b) {
      return std::pair(a.failure.empty(), a.val.mean) < std::pair(b.failure.empty(), b.val.mean);
    };
    best = drawn[std::max_element(tried.begin(), tried.end(), worse) - tried.begin()];
  }
  const train::RunResult result =
      train_cell(comparison, cell, {best}, comparison.splits, runs / "chosen", should_stop)[0];
  if (!result.failure.empty())
    throw Failure(fmt::format("{} on {}: {}", cell.model, cell.data, result.failure));
  const std::filesystem::path file = cell_file(comparison, cell);
  std::filesystem::create_directories(file.parent_path());
  io::write_file(file, ordered_json{{"data", cell.data},
                                    {"model", cell.model},
                                    {"request", request_of(comparison)},
                                    {"chosen", best},
                                    {"validation", percent(result.val)},
                                    {"test", percent(result.test)},
                                    {"parameters", result.parameters},
                                    {"epoch_ms", result.epoch_ms}}
                               .dump(2) +
                           "\n");
  std::filesystem::remove_all(runs);
}

ordered_json collect(const Comparison& comparison, const std::vector<std::string>& absent) {
  ordered_json cells = ordered_json::array();
  for (const std::string& model : comparison.models) {
    for (const std::string& name : comparison.data) {
      const CellName cell{name, model};
      ordered_json document =
          stored_cell(comparison, cell).value_or(ordered_json{{"data", name}, {"model", model}});
      document.erase("request");
      document["paper"] = paper_figure(cell);
      cells.push_back(document);
    }
  }
  return {
      {"table", comparison.name}, {"request", request_of(comparison)}, {"absent", absent}, {"cells", cells}};
}

std::string markdown(const ordered_json& collected) {
  std::vector<std::string> columns;
  for (const ordered_json& cell : collected["cells"]) {
    const std::string name = cell["data"];
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
  }
  std::string text = "| model |";
  std::string rule = "| --- |";
  for (const std::string& column : columns) {
    text += fmt::format(" {} |", column);
    rule += " ---: |";
  }
  text += "\n" + rule;
  std::string model;
  for (const ordered_json& cell : collected["cells"]) {
    if (cell["model"] != model) {
      model = cell["model"];
      text += fmt::format("\n| {} |", models::find_model(model).title);
    }
    text += fmt::format(" {} ({}) |", figure_text(cell.value("test", ordered_json())),
                        figure_text(cell["paper"]));
  }
  return text + "\n";
}

}  // namespace dshn::experiments
