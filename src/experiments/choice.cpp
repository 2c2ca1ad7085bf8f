#include "experiments/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "dshn/base/error.hpp"
#include "dshn/data/digests.hpp"
#include "dshn/data/registry.hpp"
#include "dshn/experiments/cell_figures.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/file_system.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/tune/confirmation.hpp"
#include "dshn/tune/store.hpp"
#include "dshn/tune/usable.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

/// What stands for node features, or beside them. The paper does not say what it takes where there are none.
std::vector<std::string> feature_values(const data::Entry& entry) {
  if (entry.default_features == data::FeatureKind::degree)
    return {"auto", "constant", "random", "role-degrees", "spectral"};
  if (entry.task == data::Task::hyperedge_classification) return {"auto", "stored+role-degrees"};
  return {"auto", "stored+role-degrees", "stored+spectral"};
}

/// The study's name says what is held in it.
std::string study_name(const Recipe& recipe, const Cell& cell) {
  return Cell{.data = cell.data, .model = cell.model, .set = fixed_options(recipe, cell)}.id();
}

bool has(const tune::SearchSpace& space, const std::string& name) {
  return std::any_of(space.begin(), space.end(), [&](const tune::Parameter& p) { return p.name == name; });
}

bool has_option(const std::string& model, const std::string& name) {
  const std::vector<OptionSpec>& options = models::find_model(model).options;
  return std::any_of(options.begin(), options.end(),
                     [&](const OptionSpec& spec) { return spec.name == name; });
}

/// The first trial: the preset, or the defaults. What the preset sets beside the space holds for all trials.
void start_at_preset(const Recipe& recipe, const Cell& cell, tune::StudyRequest& request) {
  Assignments preset = preset_of(recipe, cell.data, cell.model).value_or(Assignments{});
  std::erase_if(preset, [&](const auto& option) { return request.settings.set.contains(option.first); });
  for (const auto& [name, value] : preset)
    if (!has(request.space, name)) request.settings.set[name] = value;
  auto [wider, first] = tune::starting_at(request.space, cell.model, preset);
  request.space = std::move(wider);
  const fs::path file = recipe.presets / cell.data / (cell.model + ".toml");
  request.first = {{std::move(first), preset.empty() ? "defaults" : file.string()}};
}

tune::StudyRequest study_request(const Recipe& recipe, const Cell& cell) {
  tune::StudyRequest request;
  request.settings = {.data = cell.data,
                      .model = cell.model,
                      .splits = recipe.search_splits,
                      .seed = recipe.search_seed,
                      .device = recipe.device,
                      .set = fixed_options(recipe, cell),
                      .preset = {},
                      .reading = {}};
  request.seeds = recipe.search_seeds;
  request.objective = "steady";
  request.sampler = recipe.sampler;
  request.confirm = recipe.confirm;
  request.confirm_splits = recipe.search_splits;
  const tune::SearchSpace space =
      tune::search_space(cell.model, request.settings.set, further_values(recipe, cell));
  const train::Experiment experiment(recipe.shelf->open(cell.data, train::open_options(request.settings)),
                                     request.settings);
  std::vector<std::string> left_out;  // the model's refusals on this set: as many trials of what is left
  request.space = tune::usable_part(space, {}, experiment, left_out);
  request.digests = data::named_digests(*experiment.dataset);
  start_at_preset(recipe, cell, request);
  return request;
}

/// The number of trials to confirm may change while a study goes on; the data are compared by themselves.
std::string identity_of(tune::StudyRequest request) {
  request.confirm = 0;
  request.digests.clear();
  return request.to_text();
}

void open_study(const fs::path& folder, const tune::StudyRequest& request, int trials) {
  const auto size = tune::size_of(request.space);
  const int goal = size < static_cast<std::uint64_t>(trials) ? static_cast<int>(size) : trials;
  const fs::path file = tune::database_file(folder);
  io::make_folders(folder);
  if (tune::Store::create(file, request.to_text(), goal)) return;
  tune::Store store(file);
  const tune::StudyRequest stored = tune::StudyRequest::from_text(store.request());
  if (const std::string what = data::difference(stored.digests, request.digests); !what.empty())
    throw InvalidInput(fmt::format("{}: {} since the study began", folder.string(), what),
                       Topic{"study-data-changed"});
  if (identity_of(stored) != identity_of(request))
    throw UsageError(fmt::format("{}: holds a study that was asked for otherwise", folder.string()),
                     Topic{"folder-taken"});
  store.set_goal(goal);
  store.set_request(request.to_text());
}

/// The search and the second look at its best trials.
tune::Summary searched(const fs::path& folder, const std::function<bool()>& should_stop) {
  tune::work(folder, should_stop);
  tune::Summary summary = tune::Summary::read(folder);
  if (summary.best() == nullptr)
    throw Failure(fmt::format("all {} trials failed; the first one said: {}", summary.finished(),
                              summary.trials[0].message));
  if (summary.request.confirm == 0) return summary;
  tune::prepare_confirmation(folder);
  tune::work(tune::confirmation_folder(folder), should_stop);
  summary = tune::Summary::read(folder);
  if (!summary.confirmation->winner())
    throw Failure(fmt::format("all {} trials failed when they were trained again; the first one said: {}",
                              summary.confirmation->goal, summary.confirmation->trials[0].message));
  return summary;
}

/// Whether the seed decides how items are divided, and not published masks.
bool draws_splits(const Recipe& recipe, const Cell& cell) {
  const Assignments fixed = fixed_options(recipe, cell);
  const std::string split = fixed.contains("split") ? fixed.at("split") : "auto";
  if (split != "auto") return split != "published" && split != "repeated";
  const data::Entry* entry = data::find_entry(cell.data);
  return entry == nullptr || entry->split != data::SplitKind::published;
}

bool overlap(std::uint64_t first, int count, std::uint64_t other, int other_count) {
  return first < other + static_cast<std::uint64_t>(other_count) &&
         other < first + static_cast<std::uint64_t>(count);
}

/// In per cent.
ordered_json validation_of(const tune::Trial& trial) {
  std::vector<double> values;
  for (const double figure : trial.validation) values.push_back(100 * figure);
  return figure_json(sample_of(values));
}

ordered_json study_json(const tune::Summary& summary) {
  ordered_json study{{"trials", summary.finished()}};
  for (const tune::TrialState state :
       {tune::TrialState::completed, tune::TrialState::pruned, tune::TrialState::failed})
    study[tune::to_string(state)] = summary.count(state);
  study["winner"] = summary.best()->number;
  study["validation"] = validation_of(*summary.best());
  if (summary.confirmation) {
    study["confirmed"] = summary.confirmation->goal;
    study["confirmation_seeds"] = tune::seed_range(summary.confirmation->seed, summary.confirmation->seeds);
    study["confirmation"] = validation_of(*summary.confirmation->again(summary.best()->number));
  }
  return study;
}

void write_study_files(const Recipe& recipe, const Cell& cell, const fs::path& folder,
                       const tune::Summary& summary) {
  io::write_file(folder / "study.json", tune::to_json(summary, recipe.command).dump(2) + "\n");
  const fs::path preset = recipe.folder / "presets" / (study_name(recipe, cell) + ".toml");
  io::make_folders(preset.parent_path());
  io::write_file(preset, tune::preset_text(summary, recipe.command));
}

}  // namespace

Assignments fixed_options(const Recipe& recipe, const Cell& cell) {
  Assignments fixed = recipe.set;
  for (const auto& [name, value] : cell.set) fixed[name] = value;
  return fixed;
}

bool is_searched(const Recipe& recipe, const Cell& cell) {
  return cell.search && recipe.trials > 1 && !models::find_model(cell.model).is_rule;
}

std::map<std::string, std::vector<std::string>> further_values(const Recipe& recipe, const Cell& cell) {
  std::map<std::string, std::vector<std::string>> further;
  if (has_option(cell.model, "variant")) further["variant"] = {"paper", "authors"};
  // The code that the paper builds on adds self-loops where it loads data for undirected models only.
  if (cell.model.starts_with("dhgnn")) further["self_loops"] = {"true", "false"};
  further["weight_decay"] = {"0", "5e-5", "5e-4", "5e-3"};
  if (const data::Entry* entry = data::find_entry(cell.data)) {
    further["features"] = feature_values(*entry);
    if (entry->default_features != data::FeatureKind::degree && has_option(cell.model, "input_dropout"))
      further["input_dropout"] = {"0", "0.2", "0.5", "0.8"};
  }
  const Assignments fixed = fixed_options(recipe, cell);
  std::erase_if(further, [&](const auto& list) { return fixed.contains(list.first); });
  return further;
}

void check_seeds(const Recipe& recipe, const std::vector<Cell>& cells) {
  for (const Cell& cell : cells) {
    if (!is_searched(recipe, cell) || !draws_splits(recipe, cell)) continue;
    for (const std::uint64_t first : {recipe.search_seed, recipe.search_seed + tune::kConfirmationStep}) {
      const bool is_used = first == recipe.search_seed || recipe.confirm > 0;
      if (!is_used || !overlap(first, recipe.search_seeds, recipe.seed, recipe.seeds)) continue;
      throw UsageError(
          fmt::format(
              "{}: options would be chosen on splits of seeds {}, and seeds {} are reported; expected "
              "none in both",
              cell.id(), tune::seed_range(first, recipe.search_seeds),
              tune::seed_range(recipe.seed, recipe.seeds)),
          Topic{"search-seeds"});
    }
  }
}

Choice choose_options(const Recipe& recipe, const Cell& cell, const std::function<bool()>& should_stop) {
  if (!is_searched(recipe, cell)) return {preset_of(recipe, cell.data, cell.model).value_or(Assignments{})};
  const fs::path folder = recipe.folder / "studies" / study_name(recipe, cell);
  open_study(folder, study_request(recipe, cell), recipe.trials);
  const tune::Summary summary = searched(folder, should_stop);
  for (const fs::path& study : {folder, tune::confirmation_folder(folder)}) io::remove_tree(study / "trials");
  write_study_files(recipe, cell, folder, summary);
  return {summary.request.trial_settings(summary.best()->set).set, study_json(summary)};
}

}  // namespace dshn::experiments
