#include "cli/learning/train_auto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/interrupt.hpp"
#include "cli/learning/preset_flag.hpp"
#include "cli/progress.hpp"
#include "cli/text_table.hpp"
#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/experiment.hpp"
#include "dshn/train/figures.hpp"
#include "dshn/train/run.hpp"

namespace dshn::cli {
namespace {

namespace fs = std::filesystem;
using tune::TrialState;

const std::vector<std::string> kMeasures{"majority", "linear"};
const std::vector<std::string> kModels{"hgnn", "gedi-hnn", "dshn-light", "dshn"};

std::string figure_text(const tune::AutoState& state, double value) {
  return train::figure_text(train::find_metric(state.request.metric), value);
}

/// "97.84 ± 1.86", or without the deviation where there is one split.
std::string figure_text(const tune::AutoState& state, const tune::Trial& trial) {
  const train::MeanStd figure = trial.figure();
  const std::string mean = figure_text(state, figure.mean);
  return trial.validation.size() > 1 ? fmt::format("{} ± {}", mean, figure_text(state, figure.std)) : mean;
}

/// Of all options those that are not at their defaults.
std::string options_text(const train::Settings& settings) {
  train::Settings defaults;
  defaults.model = settings.model;
  const Assignments usual = defaults.all_options();
  std::string text;
  for (const auto& [name, value] : settings.all_options())
    if (usual.at(name) != value) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text.empty() ? "defaults" : text;
}

/// The best candidate of each model, in the order of the board.
std::vector<const tune::Candidate*> best_of_models(const tune::AutoBoard& board) {
  std::vector<const tune::Candidate*> best;
  std::set<std::string> seen;
  for (const int number : board.ranked())
    if (seen.insert(board.candidates[number].model).second) best.push_back(&board.candidates[number]);
  return best;
}

/// By how much the one is better than the other, over the splits that both have.
double common_lead(const tune::Trial& one, const tune::Trial& other) {
  const std::size_t common = std::min(one.validation.size(), other.validation.size());
  double lead = 0;
  for (std::size_t s = 0; s < common; ++s) lead += one.validation[s] - other.validation[s];
  return lead / static_cast<double>(common);
}

/// By how much the best model is better than the linear one.
std::string what_is_added(const tune::AutoState& state, const std::vector<const tune::Candidate*>& best) {
  const auto linear = std::find_if(best.begin(), best.end(), [](const tune::Candidate* candidate) {
    return candidate->model == "linear" && candidate->trial.state == TrialState::completed;
  });
  if (linear == best.end()) return "";
  if (linear == best.begin())
    return "the hypergraph adds nothing: the linear model on the features is best\n";
  const double more = common_lead(best[0]->trial, (*linear)->trial);
  return fmt::format("the hypergraph adds {}{} of validation to the linear model on the features\n",
                     figure_text(state, more),
                     train::find_metric(state.request.metric).is_share ? " points" : "");
}

void keep(const tune::AutoState& state, const fs::path& folder) {
  io::write_file(folder / io::kAutoFile, to_json(state.request, state.board).dump(2) + "\n");
}

std::string status_text(const tune::AutoState& state) {
  const std::vector<int> ranked = state.board.ranked();
  const auto tried = std::count_if(state.board.candidates.begin(), state.board.candidates.end(),
                                   [](const auto& c) { return !c.trial.validation.empty(); });
  std::string text =
      fmt::format("{} tried, {:.0f} of {:.0f} s", tried, state.board.seconds, state.request.seconds);
  if (ranked.empty()) return text;
  const tune::Candidate& best = state.board.candidates[ranked[0]];
  return text + fmt::format(", best: {} with {} on validation", models::find_model(best.model).title,
                            figure_text(state, best.trial.figure().mean));
}

}  // namespace

tune::AutoRequest auto_request(const train::Settings& settings, bool model_named, double minutes,
                               const std::string& preset) {
  tune::AutoRequest request;
  request.settings = settings;
  request.seconds = 60 * minutes;
  std::vector<std::string> names = kMeasures;
  const std::vector<std::string> named{settings.model};
  for (const std::string& name : model_named ? named : kModels)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  for (const std::string& name : names) {
    train::Settings own = settings;
    own.model = models::find_model(name).name;
    const auto found =
        preset == kPresetNone ? std::nullopt : experiments::find_preset(experiments::preset_folder(), own);
    request.entrants.push_back(found ? tune::Entrant{name, found->set, found->file.string()}
                                     : tune::Entrant{name});
  }
  return request;
}

bool has_unfinished_search(const fs::path& folder) {
  return fs::exists(folder / io::kAutoFile) && !fs::exists(folder / io::kConfigFile);
}

tune::AutoState search_in(const fs::path& folder, tune::AutoState state, bool quiet, const Context& context) {
  const StopRequest stop;
  StatusLine line(quiet ? Terminal{} : context.err);
  tune::AutoHooks hooks;
  hooks.should_stop = [&] { return stop.requested(); };
  hooks.on_epoch = [&](const tune::AutoBoard&) {
    if (line.due()) line.draw(status_text(state));
  };
  hooks.on_change = [&](const tune::AutoBoard&) { keep(state, folder); };
  const auto dataset =
      context.shelf->open(state.request.settings.data, train::open_options(state.request.settings));
  try {
    tune::auto_search(state.request, dataset, state.board, hooks);
  } catch (const train::Interrupted&) {
    keep(state, folder);
    line.erase();
    throw Failure(fmt::format("stopped; what was tried is kept; go on with: dshn train --resume --out {}",
                              folder.string()));
  }
  return state;
}

std::optional<tune::AutoState> read_search(const fs::path& folder) {
  const fs::path file = folder / io::kAutoFile;
  if (!fs::exists(file)) return std::nullopt;
  return tune::auto_from_json(io::read_file(file), file.string());
}

std::string auto_page(const tune::AutoState& state, const Terminal& terminal) {
  const tune::AutoBoard& board = state.board;
  TextTable table({{"model"},
                   {"validation", Align::right},
                   {"splits", Align::right},
                   {"tried", Align::right},
                   {"options"}});
  const std::vector<const tune::Candidate*> best = best_of_models(board);
  for (const tune::Candidate* candidate : best) {
    const bool failed = candidate->trial.state == TrialState::failed;
    const auto tried = std::count_if(board.candidates.begin(), board.candidates.end(),
                                     [&](const auto& other) { return other.model == candidate->model; });
    table.add({{models::find_model(candidate->model).title, Paint::strong},
               {failed ? "failed" : figure_text(state, candidate->trial)},
               {std::to_string(candidate->trial.validation.size())},
               {std::to_string(tried)},
               {failed ? candidate->trial.message : options_text(settings_of(state.request, *candidate))}});
  }
  const int compared = best.empty() ? 0 : static_cast<int>(best[0]->trial.validation.size());
  return fmt::format(
      "{} candidates in {:.0f} s; validation {} over {} split{}{}, the best of each model\n\n{}\n{}",
      board.candidates.size(), board.seconds, state.request.metric, board.splits,
      board.splits == 1 ? "" : "s",
      compared > board.splits ? fmt::format(", of the first ones over {}", compared) : "",
      table.render(terminal), what_is_added(state, best));
}

}  // namespace dshn::cli
