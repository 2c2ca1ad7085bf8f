#include "dshn/experiments/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/base/spelling.hpp"
#include "dshn/data/catalog.hpp"
#include "dshn/experiments/cell_figures.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/experiment.hpp"
#include "experiments/comparison.hpp"
#include "experiments/entries.hpp"

namespace dshn::experiments {

// Each experiment's file defines the entry of its name.
#define DSHN_PLUG(name) Reproduction name##_entry();
#include "experiments/plugs.inc"
#undef DSHN_PLUG

namespace {

using nlohmann::ordered_json;

bool wanted(const std::vector<std::string>& only, const std::string& name) {
  return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
}

/// What is wrong with the cell's options; empty when nothing is.
std::string objection(const Recipe& recipe, const Cell& cell) {
  train::Settings settings;
  settings.data = cell.data;
  settings.model = cell.model;
  settings.set = preset_of(recipe, cell.data, cell.model).value_or(Assignments{});
  for (const auto& [name, value] : recipe.set) settings.set[name] = value;
  for (const auto& [name, value] : cell.set) settings.set[name] = value;
  try {
    settings.model_options();
    settings.training();
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

/// What is stored of a cell, or that there is nothing, with its place in the table.
ordered_json cell_of(const Recipe& recipe, const Cell& cell) {
  ordered_json entry{{"row", cell.row}, {"column", cell.column}, {"data", cell.data}, {"model", cell.model}};
  entry["options"] = cell.set;
  if (const auto stored = stored_cell(recipe, cell)) {
    for (const auto& [name, value] : stored->items())
      if (!entry.contains(name)) entry[name] = value;
  }
  entry["paper"] = to_json(cell.paper);
  return with_figures(std::move(entry));
}

/// Said on every quick table.
ordered_json quick_meaning(const Reproduction& reproduction, const ReproductionRequest& request) {
  if (!request.quick) return nullptr;
  if (!reproduction.plan) return "nothing is trained, times are of fewer steps";
  const int seeds = request.recipe.seeds;
  return fmt::format("{} splits{} of at most 60 epochs", request.recipe.splits,
                     seeds > 1 ? fmt::format(" of each of {} seeds", seeds) : "");
}

/// How long the cells took that say so, over all the calls that made them.
ordered_json runtime_of(const ordered_json& cells) {
  int count = 0;
  double seconds = 0;
  double shared = 0;
  for (const ordered_json& cell : cells) {
    if (!cell.contains("seconds")) continue;
    ++count;
    seconds += cell["seconds"].get<double>();
    shared += cell["seconds"].get<double>() / cell.value("side_by_side", 1.0);
  }
  return {{"cells", count}, {"seconds", seconds}, {"shared_seconds", shared}};
}

/// What all cells of the document were asked for.
ordered_json shared_request(const Reproduction& reproduction, const ReproductionRequest& request) {
  Recipe recipe = request.recipe;
  if (!reproduction.searches) recipe.trials = 1;
  return request_of(recipe);
}

/// An option that no model has is a misspelt one.
void check_known(const Assignments& set) {
  std::vector<std::string> names;
  for (const OptionSpec& spec : train::training_options()) names.push_back(spec.name);
  for (const models::ModelEntry& model : models::all_models())
    for (const OptionSpec& spec : model.options) names.push_back(spec.name);
  for (const auto& [name, value] : set) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const auto near = nearest(name, names);
    throw UsageError(fmt::format("no model has the option '{}'{}", name,
                                 near ? fmt::format("; did you mean '{}'?", *near) : ""));
  }
}

/// A comparison that nothing can come of is refused before anything is trained.
void check_compared(const Reproduction& reproduction, const ReproductionRequest& request,
                    const std::vector<Cell>& cells) {
  for (const std::string& model : request.compare)
    if (std::none_of(cells.begin(), cells.end(), [&](const Cell& cell) { return cell.model == model; }))
      throw UsageError(fmt::format("{} cannot be compared: the table {} has no such model here", model,
                                   reproduction.name));
}

void append_once(std::vector<std::string>& lines, const std::string& line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
}

}  // namespace

const std::string& title_of(const std::string& model) {
  return models::find_model(model).title;
}

std::string missing_line(const std::string& data) {
  const data::Entry* entry = data::find_entry(data);
  return entry == nullptr ? fmt::format("data set {} is not here", data)
                          : data::missing_message(*entry, /*name_folders=*/false);
}

ordered_json number_column(const char* key, const char* title, int decimals) {
  return {{"key", key}, {"title", title}, {"decimals", decimals}};
}

ordered_json text_column(const char* key, const char* title) {
  return {{"key", key}, {"title", title}, {"text", true}};
}

const std::vector<Reproduction>& all_reproductions() {
#define DSHN_PLUG(name) name##_entry(),
  static const std::vector<Reproduction> all{
#include "experiments/plugs.inc"
  };
#undef DSHN_PLUG
  return all;
}

const Reproduction& find_reproduction(std::string_view name) {
  std::vector<std::string> names;
  for (const Reproduction& entry : all_reproductions()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  const auto near = nearest(name, names);
  throw UsageError(fmt::format("there is no experiment '{}'{}", name,
                               near ? fmt::format("; did you mean {}?", *near) : ""),
                   Topic{"unknown-experiment"});
}

std::vector<Cell> Plan::present() const {
  std::vector<Cell> here;
  for (const Cell& cell : cells)
    if (std::find(absent.begin(), absent.end(), cell.data) == absent.end()) here.push_back(cell);
  return here;
}

ReproductionRequest effective(ReproductionRequest request) {
  train::choose_device(request.recipe.device);
  check_known(request.set);
  for (const std::string& model : request.models) models::find_model(model);
  for (const std::string& model : request.compare) models::find_model(model);
  if (request.compare.size() > 2)
    throw UsageError(fmt::format("{} models to compare; expected two, or one to be compared with every other",
                                 request.compare.size()));
  if (request.compare.size() == 2 && request.compare[0] == request.compare[1])
    throw UsageError(fmt::format("{} cannot be compared with itself", request.compare[0]));
  if (request.recipe.confirm > 0 && request.recipe.confirm > request.recipe.trials)
    throw UsageError(fmt::format("{} trials to confirm: there are only {}", request.recipe.confirm,
                                 request.recipe.trials));
  if (request.quick) {
    request.recipe.splits = std::min(request.recipe.splits, 2);
    request.recipe.search_splits = std::min(request.recipe.search_splits, 2);
    request.recipe.set["epochs"] = "60";
    request.recipe.set["patience"] = "30";
  }
  return request;
}

Plan plan_of(const Reproduction& reproduction, const ReproductionRequest& request) {
  Plan plan = reproduction.plan(request);
  for (const auto& [name, value] : request.set) {
    for (Cell& cell : plan.cells) {
      if (!cell.set.emplace(name, value).second)
        throw UsageError(fmt::format("{}={}: {} sets this option itself", name, value, reproduction.name));
    }
    plan.notes.push_back(fmt::format("with {}={} in every cell", name, value));
  }
  return plan;
}

std::string document_name(const Reproduction& reproduction, const ReproductionRequest& request) {
  return with_options(reproduction.name, request.set);
}

Plan feasible_plan(const Reproduction& reproduction, const ReproductionRequest& request) {
  if (!reproduction.plan) {
    check_compared(reproduction, request, {});
    if (!request.set.empty())
      throw UsageError(fmt::format("{}: {} trains nothing", request.set.begin()->first, reproduction.name));
    return {};
  }
  Plan plan = plan_of(reproduction, request);
  std::vector<Cell> cells;
  for (const Cell& cell : plan.cells) {
    if (!wanted(request.data, cell.data) || !wanted(request.models, cell.model)) continue;
    const bool gathered = request.recipe.as_stored && stored_cell(request.recipe, cell);
    if (!gathered && !data::is_here(cell.data)) {
      append_once(plan.missing, missing_line(cell.data));
      append_once(plan.absent, cell.data);
    } else if (const std::string why = objection(request.recipe, cell); !why.empty()) {
      plan.left_out.push_back(fmt::format("{}: {}", cell.id(), why));
      continue;
    }
    cells.push_back(cell);
  }
  check_compared(reproduction, request, cells);
  if (!request.recipe.as_stored) check_seeds(request.recipe, cells);
  plan.cells = std::move(cells);
  return plan;
}

ordered_json document_of(const Reproduction& reproduction, const ReproductionRequest& request,
                         const Plan& plan, const std::string& command) {
  ordered_json document{{"name", document_name(reproduction, request)},
                        {"table", reproduction.name},  // as the report calls it
                        {"title", reproduction.title},
                        {"quick", request.quick},
                        {"quick_means", quick_meaning(reproduction, request)},
                        {"provenance", {{"command", command}}},
                        {"request", shared_request(reproduction, request)},
                        {"missing", plan.missing},
                        {"left_out", plan.left_out},
                        {"notes", plan.notes}};
  document["provenance"].update(provenance(request.recipe.device));
  if (reproduction.plan) {
    document["cells"] = ordered_json::array();
    for (const Cell& cell : plan.cells) document["cells"].push_back(cell_of(request.recipe, cell));
    if (const ordered_json runtime = runtime_of(document["cells"]); runtime["cells"] > 0)
      document["runtime"] = runtime;
  }
  if (!request.compare.empty())
    add_comparisons(document, request.compare);
  else if (!reproduction.compared.empty())
    add_row_comparisons(document, reproduction.compared);
  if (reproduction.rows) reproduction.rows(request, document);
  return document;
}

}  // namespace dshn::experiments
