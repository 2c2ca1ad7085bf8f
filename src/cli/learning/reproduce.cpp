#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/advice.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/learning/assignments.hpp"
#include "cli/learning/worker_processes.hpp"
#include "cli/learning_module.hpp"
#include "cli/seed_flag.hpp"
#include "cli/text_table.hpp"
#include "dshn/base/error.hpp"
#include "dshn/experiments/picture.hpp"
#include "dshn/experiments/render.hpp"
#include "dshn/experiments/reproduction.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/file_system.hpp"
#include "dshn/ops/keep_freed_memory.hpp"
#include "dshn/train/split_run.hpp"

namespace dshn::cli {
namespace {

using experiments::Cell;
using experiments::Plan;
using experiments::Reproduction;
using experiments::ReproductionRequest;
using nlohmann::ordered_json;

constexpr const char* kGoOn = "the same command goes on from here";

struct ReproduceFlags {
  std::string name;
  ReproductionRequest request;
  bool list = false;
  bool json = false;
  std::filesystem::path render;
  std::filesystem::path into;
  std::filesystem::path picture;
  std::vector<std::string> set;  // name=value
  std::string cell;              // of a worker process
};

std::vector<std::string> searching_names() {
  std::vector<std::string> names;
  for (const Reproduction& entry : experiments::all_reproductions())
    if (entry.searches) names.push_back(entry.name);
  return names;
}

/// The request again, for this experiment: what is written beside its figures, and what workers are given.
std::vector<std::string> words_for(const std::string& name, const ReproductionRequest& request) {
  const experiments::Recipe& m = request.recipe;
  std::vector<std::string> words{"dshn", "reproduce", name};
  const auto add = [&](const char* flag, const std::string& value) {
    words.insert(words.end(), {flag, value});
  };
  if (!request.data.empty()) add("--data", fmt::format("{}", fmt::join(request.data, ",")));
  if (!request.models.empty()) add("--models", fmt::format("{}", fmt::join(request.models, ",")));
  add("--splits", std::to_string(m.splits));
  if (m.trials > 1) add("--trials", std::to_string(m.trials));
  if (m.trials > 1) add("--search-splits", std::to_string(m.search_splits));
  if (m.trials > 1) add("--search-seed", std::to_string(m.search_seed));
  if (m.trials > 1) add("--search-seeds", std::to_string(m.search_seeds));
  if (m.trials > 1) add("--sampler", m.sampler);
  if (m.confirm > 0) add("--confirm", std::to_string(m.confirm));
  for (const auto& [option, value] : request.set) add("--set", fmt::format("{}={}", option, value));
  add("--seed", std::to_string(m.seed));
  if (m.seeds > 1) add("--seeds", std::to_string(m.seeds));
  if (!request.compare.empty()) add("--compare", fmt::format("{}", fmt::join(request.compare, ",")));
  add("--device", m.device);
  if (!m.presets.empty()) add("--presets", m.presets.string());
  if (m.jobs > 1) add("--jobs", std::to_string(m.jobs));
  if (request.quick) words.emplace_back("--quick");
  if (m.as_stored) words.emplace_back("--as-stored");
  return words;
}

/// The request as it is carried out, with the command that makes it again.
ReproductionRequest effective_for(const std::string& name, const ReproductionRequest& request) {
  ReproductionRequest carried_out = experiments::effective(request);
  carried_out.recipe.command = fmt::format("{}", fmt::join(words_for(name, request), " "));
  return carried_out;
}

void make_one(const ReproductionRequest& request, const Cell& cell) {
  ops::keep_freed_memory();
  const StopRequest stop;
  experiments::make_cell(request.recipe, cell, [&] { return stop.requested(); });
}

/// What a worker process does: one cell of the plan.
void make_cell_named(const ReproduceFlags& flags) {
  stop_with_master();
  const ReproductionRequest request = effective_for(flags.name, flags.request);
  for (const Cell& cell : experiments::plan_of(experiments::find_reproduction(flags.name), request).cells)
    if (cell.id() == flags.cell) return make_one(request, cell);
  throw UsageError(fmt::format("--cell {}: {} has no such cell", flags.cell, flags.name));
}

void make_missing(const ReproduceFlags& flags, const std::string& name, const ReproductionRequest& request,
                  const std::vector<Cell>& missing, const Context& context) {
  if (request.recipe.jobs > 1) {
    std::vector<std::vector<std::string>> commands;
    for (const Cell& cell : missing) {
      commands.push_back(words_for(name, flags.request));
      commands.back().insert(commands.back().end(),
                             {"--out", request.recipe.folder.string(), "--cell", cell.id()});
    }
    run_commands(commands, request.recipe.jobs, kGoOn, [&](std::size_t done) {
      context.note(fmt::format("{}: {} of {} made", name, done, missing.size()));
    });
    return;
  }
  for (std::size_t i = 0; i < missing.size(); ++i) {
    context.note(fmt::format("{}: {} of {}: {}", name, i + 1, missing.size(), missing[i].id()));
    make_one(request, missing[i]);
  }
}

/// A table of nothing is a wrong --out.
void require_stored(const std::string& name, const experiments::Recipe& recipe, const Plan& plan) {
  const auto is_stored = [&](const Cell& cell) { return stored_cell(recipe, cell).has_value(); };
  if (plan.cells.empty() || std::any_of(plan.cells.begin(), plan.cells.end(), is_stored)) return;
  throw UsageError(fmt::format("--as-stored: {} holds no cell of {}; expected files like cells/{}.json",
                               recipe.folder.string(), name, plan.cells[0].id()));
}

/// Makes what is missing of one experiment, writes its files and returns its document.
ordered_json reproduce_one(const ReproduceFlags& flags, const Reproduction& experiment,
                           const Context& context) {
  const ReproductionRequest request = effective_for(experiment.name, flags.request);
  const Plan plan = experiments::feasible_plan(experiment, request);
  if (request.recipe.as_stored) require_stored(experiment.name, request.recipe, plan);
  make_missing(flags, experiment.name, request, missing_cells(request.recipe, plan.present()), context);
  ordered_json document = experiments::document_of(experiment, request, plan, request.recipe.command);
  io::make_folders(request.recipe.folder);
  const std::string name = experiments::document_name(experiment, request);
  io::write_file(request.recipe.folder / (name + ".json"), document.dump(2) + "\n");
  io::write_file(request.recipe.folder / (name + ".md"), experiments::page_markdown(document));
  for (const ordered_json& line : document["missing"]) context.warn(line.get<std::string>());
  if (!document["missing"].empty()) context.warn("'dshn data list' says how to get what is not here");
  return document;
}

/// Cells that failed, as one line each.
std::vector<std::string> failed_cells(const ordered_json& document) {
  std::vector<std::string> lines;
  for (const ordered_json& cell : document.value("cells", ordered_json::array())) {
    if (cell.contains("failure"))
      lines.push_back(fmt::format("{}, {}, {}: {}", document["name"].get<std::string>(),
                                  cell["row"].get<std::string>(), cell["column"].get<std::string>(),
                                  cell["failure"].get<std::string>()));
  }
  return lines;
}

void reproduce(const ReproduceFlags& flags, const Context& context) {
  std::vector<const Reproduction*> wanted;
  if (flags.name == "all")
    for (const Reproduction& experiment : experiments::all_reproductions()) wanted.push_back(&experiment);
  else
    wanted.push_back(&experiments::find_reproduction(flags.name));
  if (flags.request.recipe.trials > 1 && wanted.size() == 1 && !wanted[0]->searches)
    throw UsageError(fmt::format("--trials: {} fixes its options; only {} search", flags.name,
                                 fmt::join(searching_names(), ", ")));
  if (!flags.request.compare.empty() && wanted.size() > 1)
    throw UsageError("--compare: is for one experiment; name it instead of all");
  ordered_json documents = ordered_json::array();
  std::vector<std::string> failed;
  for (const Reproduction* experiment : wanted) {
    try {
      documents.push_back(reproduce_one(flags, *experiment, context));
    } catch (const train::Interrupted&) {
      throw;
    } catch (const Error& error) {
      if (wanted.size() == 1) throw;
      failed.push_back(fmt::format("{}: {}", experiment->name, advised(error)));
      continue;
    }
    for (const std::string& line : failed_cells(documents.back())) failed.push_back(line);
    if (!flags.json) context.print(experiments::page_markdown(documents.back()) + "\n");
  }
  if (flags.json) context.print_json(wanted.size() == 1 ? documents[0] : documents);
  for (const std::string& line : failed) context.warn(line);
  if (!failed.empty()) throw Failure(fmt::format("{} of the above failed; the rest is there", failed.size()));
}

void list_experiments(const Context& context, bool json) {
  if (json) {
    ordered_json all = ordered_json::array();
    for (const Reproduction& entry : experiments::all_reproductions())
      all.push_back({{"name", entry.name}, {"title", entry.title}, {"summary", entry.summary}});
    context.print_json(all);
    return;
  }
  TextTable table({{"name", Align::left}, {"what", Align::left}});
  for (const Reproduction& entry : experiments::all_reproductions())
    table.add({{entry.name, Paint::strong}, {entry.summary}});
  table.add({{"all", Paint::strong}, {"all of these, one after another"}});
  context.print(table.render(context.out));
}

/// The picture of the differences to the paper: where it is asked for, or beside the pages.
void draw(const ReproduceFlags& flags) {
  const std::vector<experiments::Difference> differences = experiments::differences_in(flags.render);
  if (!flags.picture.empty() && differences.empty())
    throw UsageError(fmt::format("--picture: {} holds no figure of DSHN or DSHNLight beside the paper's",
                                 flags.render.string()));
  if (differences.empty() || (flags.picture.empty() && !flags.into.empty())) return;
  io::write_file(flags.picture.empty() ? flags.render / "difference.svg" : flags.picture,
                 experiments::difference_picture(differences));
}

void render(const ReproduceFlags& flags, const Context& context) {
  draw(flags);
  if (flags.into.empty()) {
    const std::vector<std::string> names = experiments::render_folder(flags.render);
    context.print(
        fmt::format("rendered: {}\n", names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "))));
    return;
  }
  if (!std::filesystem::exists(flags.into))
    throw UsageError(fmt::format("--into {}: there is no such file", flags.into.string()));
  io::write_file(flags.into, experiments::with_results(io::read_file(flags.into), flags.render));
}

void act(const ReproduceFlags& flags, const Context& context) {
  if (flags.list) return list_experiments(context, flags.json);
  if (!flags.render.empty()) return render(flags, context);
  if (flags.name.empty()) throw UsageError("name an experiment, or all; 'dshn reproduce --list' names them");
  try {
    flags.cell.empty() ? reproduce(flags, context) : make_cell_named(flags);
  } catch (const train::Interrupted& interrupted) {
    if (!flags.cell.empty()) return;  // whoever asked for it says how to go on
    throw Failure(fmt::format("{}; {}", interrupted.what(), kGoOn));
  }
}

void add_flags(CLI::App& command, ReproduceFlags& flags) {
  experiments::Recipe& recipe = flags.request.recipe;
  recipe.folder = "results";
  command.add_option("name", flags.name, "An experiment of --list, or all");
  command.add_flag("--list", flags.list, "Name the experiments");
  command.add_option("--data", flags.request.data, "Only these data sets")->delimiter(',');
  command.add_option("--models", flags.request.models, "Only these models")->delimiter(',');
  command.add_option("--splits", recipe.splits, "Splits of each cell")->check(CLI::Range(1, 10000));
  command
      .add_option("--trials", recipe.trials,
                  fmt::format("Trials of a study that chooses the options of each cell on validation; of {}",
                              fmt::join(searching_names(), ", ")))
      ->check(CLI::Range(1, 10000));
  command.add_option("--search-splits", recipe.search_splits, "Splits on which they are tried")
      ->check(CLI::Range(1, 10000));
  add_seed(command, "--search-seed", recipe.search_seed, "First seed of these splits");
  command
      .add_option("--search-seeds", recipe.search_seeds, "So many seeds from which they are taken in turn")
      ->check(CLI::Range(1, 1000));
  command.add_option("--sampler", recipe.sampler, "How the study proposes trials, as for tune");
  command
      .add_option("--confirm", recipe.confirm,
                  "Train the best so many trials again on fresh splits and weights, and choose by that")
      ->check(CLI::Range(1, 10000));
  command.add_option("--set", flags.set, "name=value, in every cell; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  add_seed(command, "--seed", recipe.seed, "First seed of the splits, weights and dropout that are reported");
  command.add_option("--seeds", recipe.seeds, "So many seeds from --seed on, each with all splits")
      ->check(CLI::Range(1, 1000));
  command
      .add_option("--compare", flags.request.compare,
                  "A,B: compare two models on the same splits; A: one with every other of the table")
      ->delimiter(',');
  command.add_option("--device", recipe.device, "auto, cpu or cuda");
  command.add_option("--presets", recipe.presets, "Folder of DATA/MODEL.toml: options that cells start from")
      ->check(CLI::ExistingDirectory);
  command.add_option("--out", recipe.folder, "Folder of cells and tables; what is there is not made again");
  command.add_flag("--as-stored", recipe.as_stored,
                   "Make the table of the cells in --out, however they were made, and train nothing");
  command.add_option("--jobs", recipe.jobs, "Cells made side by side")->check(CLI::Range(1, 256));
  command.add_flag("--quick", flags.request.quick,
                   "Two splits of at most 60 epochs, and less of what takes long");
  command.add_flag("--json", flags.json, "Print one JSON document");
  command.add_option("--render", flags.render, "Only render NAME.json of this folder to NAME.md again");
  command.add_option("--into", flags.into,
                     "With --render: put the tables between the marks of this page instead");
  command.add_option(
      "--picture", flags.picture,
      "With --render: draw the differences to the paper into this SVG instead of difference.svg");
  command.add_option("--cell", flags.cell, "The cell of a worker process")->group("");
}

}  // namespace

void add_reproduce(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("reproduce", summary_of("reproduce"));
  const auto flags = std::make_shared<ReproduceFlags>();
  add_flags(*command, *flags);
  command->callback([&context, flags] {
    context.action = [&context, flags] {
      flags->request.set = parse_assignments("--set", flags->set);
      act(*flags, context);
    };
  });
}

}  // namespace dshn::cli
