#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/table.hpp"
#include "cli/worker_processes.hpp"
#include "dshn/base/error.hpp"
#include "dshn/experiments/render.hpp"
#include "dshn/experiments/reproduction.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/ops/memory.hpp"
#include "dshn/train/split_run.hpp"

namespace dshn::cli {
namespace {

using experiments::Plan;
using experiments::Point;
using experiments::Reproduction;
using experiments::Request;
using nlohmann::ordered_json;

struct ReproduceFlags {
  std::string name;
  Request request;
  bool list = false;
  bool json = false;
  int jobs = 1;
  std::filesystem::path render;
  std::filesystem::path into;
  std::string cell;  // of a worker process
};

/// The request again, for this experiment: what is written beside its figures, and what workers are given.
std::vector<std::string> words_for(const std::string& name, const Request& request) {
  const experiments::Making& m = request.making;
  std::vector<std::string> words{"dshn", "reproduce", name};
  const auto add = [&](const char* flag, const std::string& value) {
    words.insert(words.end(), {flag, value});
  };
  if (!request.data.empty()) add("--data", fmt::format("{}", fmt::join(request.data, ",")));
  if (!request.models.empty()) add("--models", fmt::format("{}", fmt::join(request.models, ",")));
  add("--splits", std::to_string(m.splits));
  if (m.trials > 1) add("--trials", std::to_string(m.trials));
  if (m.trials > 1) add("--search-splits", std::to_string(m.search_splits));
  add("--seed", std::to_string(m.seed));
  add("--device", m.device);
  if (!m.presets.empty()) add("--presets", m.presets.string());
  if (request.quick) words.emplace_back("--quick");
  if (m.as_stored) words.emplace_back("--as-stored");
  return words;
}

void make_one(const Request& request, const Point& point) {
  ops::keep_freed_memory();
  const StopRequest stop;
  experiments::make_point(request.making, point, [&] { return stop.requested(); });
}

/// What a worker process does: one point of the plan.
void make_cell(const ReproduceFlags& flags) {
  const Request request = experiments::effective(flags.request);
  for (const Point& point : experiments::find_reproduction(flags.name).plan(request).points)
    if (point.id() == flags.cell) return make_one(request, point);
  throw UsageError(fmt::format("--cell {}: {} has no such point", flags.cell, flags.name));
}

void make_missing(const ReproduceFlags& flags, const std::string& name, const Request& request,
                  const std::vector<Point>& missing, const Context& context) {
  if (flags.jobs > 1) {
    std::vector<std::vector<std::string>> commands;
    for (const Point& point : missing) {
      commands.push_back(words_for(name, flags.request));
      commands.back().insert(commands.back().end(),
                             {"--out", request.making.folder.string(), "--cell", point.id()});
    }
    run_commands(commands, flags.jobs);
    return;
  }
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (context.err.interactive)
      context.warn(fmt::format("{}: {} of {}: {}", name, i + 1, missing.size(), missing[i].id()));
    make_one(request, missing[i]);
  }
}

/// A table of nothing is a wrong --out.
void require_stored(const std::string& name, const experiments::Making& making, const Plan& plan) {
  const auto is_stored = [&](const Point& point) { return stored_point(making, point).has_value(); };
  if (plan.points.empty() || std::any_of(plan.points.begin(), plan.points.end(), is_stored)) return;
  throw UsageError(fmt::format("--as-stored: {} holds no point of {}; expected files like cells/{}.json",
                               making.folder.string(), name, plan.points[0].id()));
}

/// Makes what is missing of one experiment, writes its files and returns its document.
ordered_json reproduce_one(const ReproduceFlags& flags, const Reproduction& experiment,
                           const Context& context) {
  const Request request = experiments::effective(flags.request);
  const Plan plan = experiments::feasible_plan(experiment, request);
  if (request.making.as_stored) require_stored(experiment.name, request.making, plan);
  make_missing(flags, experiment.name, request, missing_points(request.making, plan.present()), context);
  ordered_json document =
      experiments::document_of(experiment, request, plan,
                               fmt::format("{}", fmt::join(words_for(experiment.name, flags.request), " ")));
  std::filesystem::create_directories(request.making.folder);
  io::write_file(request.making.folder / (experiment.name + ".json"), document.dump(2) + "\n");
  io::write_file(request.making.folder / (experiment.name + ".md"), experiments::page_markdown(document));
  for (const ordered_json& line : document["missing"]) context.warn(line.get<std::string>());
  return document;
}

/// Points that failed, as one line each.
std::vector<std::string> failed_points(const ordered_json& document) {
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
  if (flags.request.making.trials > 1 && wanted.size() == 1 && !wanted[0]->searches)
    throw UsageError(
        fmt::format("--trials: {} fixes its options; only real-world and synthetic search", flags.name));
  ordered_json documents = ordered_json::array();
  std::vector<std::string> failed;
  for (const Reproduction* experiment : wanted) {
    try {
      documents.push_back(reproduce_one(flags, *experiment, context));
    } catch (const train::Interrupted&) {
      throw;
    } catch (const Error& error) {
      if (wanted.size() == 1) throw;
      failed.push_back(fmt::format("{}: {}", experiment->name, error.what()));
      continue;
    }
    for (const std::string& line : failed_points(documents.back())) failed.push_back(line);
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
  Table table({{"name", Align::left}, {"what", Align::left}});
  for (const Reproduction& entry : experiments::all_reproductions())
    table.add({{entry.name, Paint::strong}, {entry.summary}});
  table.add({{"all", Paint::strong}, {"all of these, one after another"}});
  context.print(table.render(context.out));
}

void render(const ReproduceFlags& flags, const Context& context) {
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
    flags.cell.empty() ? reproduce(flags, context) : make_cell(flags);
  } catch (const train::Interrupted& interrupted) {
    throw Failure(fmt::format("{}; the same command goes on from here", interrupted.what()));
  }
}

void add_flags(CLI::App& command, ReproduceFlags& flags) {
  experiments::Making& making = flags.request.making;
  making.folder = "results";
  command.add_option("name", flags.name, "An experiment of --list, or all");
  command.add_flag("--list", flags.list, "Name the experiments");
  command.add_option("--data", flags.request.data, "Only these data sets")->delimiter(',');
  command.add_option("--models", flags.request.models, "Only these models")->delimiter(',');
  command.add_option("--splits", making.splits, "Splits of each point")->check(CLI::Range(1, 10000));
  command
      .add_option("--trials", making.trials,
                  "Configurations tried per cell of real-world and synthetic, chosen on validation")
      ->check(CLI::Range(1, 10000));
  command.add_option("--search-splits", making.search_splits, "Splits on which they are tried")
      ->check(CLI::Range(1, 10000));
  command.add_option("--seed", making.seed, "Seed of splits, draws, weights and dropout");
  command.add_option("--device", making.device, "auto, cpu or cuda");
  command
      .add_option("--presets", making.presets, "Folder of DATA/MODEL.toml: options that points start from")
      ->check(CLI::ExistingDirectory);
  command.add_option("--out", making.folder, "Folder of points and tables; what is there is not made again");
  command.add_flag("--as-stored", making.as_stored,
                   "Make the table of the points in --out, however they were made, and train nothing");
  command.add_option("--jobs", flags.jobs, "Points made side by side")->check(CLI::Range(1, 256));
  command.add_flag("--quick", flags.request.quick,
                   "Two splits of at most 60 epochs, and less of what takes long");
  command.add_flag("--json", flags.json, "Print one JSON document");
  command.add_option("--render", flags.render, "Only render NAME.json of this folder to NAME.md again");
  command.add_option("--into", flags.into,
                     "With --render: put the tables between the marks of this page instead");
  command.add_option("--cell", flags.cell, "The point of a worker process")->group("");
}

}  // namespace

void add_reproduce(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("reproduce", "Make a table or figure of the paper, ours beside the paper's");
  const auto flags = std::make_shared<ReproduceFlags>();
  add_flags(*command, *flags);
  command->callback([&context, flags] { context.action = [&context, flags] { act(*flags, context); }; });
}

}  // namespace dshn::cli
