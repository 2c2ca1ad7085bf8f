#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/worker_processes.hpp"
#include "dshn/experiments/comparison.hpp"
#include "dshn/hypergraph/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/split_run.hpp"

namespace dshn::cli {
namespace {

struct ReproduceFlags {
  std::string table;
  std::vector<std::string> data;
  std::vector<std::string> models;
  experiments::Comparison comparison;
  bool quick = false;
  bool json = false;
  int jobs = 1;
  std::string cell;  // of a worker process
};

experiments::Comparison comparison_of(const ReproduceFlags& flags) {
  experiments::Comparison comparison = flags.comparison;
  const experiments::Comparison named = experiments::named_comparison(flags.table);
  comparison.name = named.name;
  comparison.data = flags.data.empty() ? named.data : flags.data;
  comparison.models = flags.models.empty() ? named.models : flags.models;
  for (const std::string& model : comparison.models) models::find_model(model);
  if (flags.quick) {
    comparison.splits = std::min(comparison.splits, 2);
    comparison.set = {{"epochs", "60"}, {"patience", "30"}};
  }
  return comparison;
}

/// The same request for one cell, in a process of its own.
std::vector<std::string> words_for(const ReproduceFlags& flags, const experiments::CellName& cell) {
  const experiments::Comparison& c = flags.comparison;
  std::vector<std::string> words{"dshn",
                                 "reproduce",
                                 flags.table,
                                 "--out",
                                 c.folder.string(),
                                 "--splits",
                                 std::to_string(c.splits),
                                 "--trials",
                                 std::to_string(c.trials),
                                 "--search-splits",
                                 std::to_string(c.search_splits),
                                 "--seed",
                                 std::to_string(c.seed),
                                 "--device",
                                 c.device,
                                 "--cell",
                                 cell.data + "/" + cell.model};
  if (!c.presets.empty()) words.insert(words.end(), {"--presets", c.presets.string()});
  if (flags.quick) words.emplace_back("--quick");
  return words;
}

void make_one(const experiments::Comparison& comparison, const experiments::CellName& cell) {
  const StopRequest stop;
  try {
    experiments::make_cell(comparison, cell, [&] { return stop.requested(); });
  } catch (const train::Interrupted& interrupted) {
    throw Failure(fmt::format("{}; the same command goes on from here", interrupted.what()));
  }
}

void make_missing(const ReproduceFlags& flags, const experiments::Comparison& comparison,
                  const std::vector<experiments::CellName>& missing, const Context& context) {
  if (flags.jobs > 1) {
    std::vector<std::vector<std::string>> commands;
    for (const experiments::CellName& cell : missing) commands.push_back(words_for(flags, cell));
    run_commands(commands, flags.jobs);
    return;
  }
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (context.err.interactive)
      context.warn(
          fmt::format("{} of {}: {} on {}", i + 1, missing.size(), missing[i].model, missing[i].data));
    make_one(comparison, missing[i]);
  }
}

void reproduce(const ReproduceFlags& flags, const Context& context) {
  const experiments::Comparison comparison = comparison_of(flags);
  if (!flags.cell.empty()) {
    const std::size_t slash = flags.cell.find('/');
    make_one(comparison, {flags.cell.substr(0, slash), flags.cell.substr(slash + 1)});
    return;
  }
  std::vector<std::string> absent;
  const std::vector<experiments::CellName> missing = missing_cells(comparison, absent);
  for (const std::string& name : absent)
    context.warn(fmt::format("{} is not here and is left out; 'dshn data list' says how to get it", name));
  make_missing(flags, comparison, missing, context);
  const nlohmann::ordered_json collected = experiments::collect(comparison, absent);
  const std::string table = experiments::markdown(collected);
  std::filesystem::create_directories(comparison.folder);
  io::write_file(comparison.folder / (comparison.name + ".json"), collected.dump(2) + "\n");
  io::write_file(comparison.folder / (comparison.name + ".md"), table);
  if (flags.json)
    context.print_json(collected);
  else
    context.print(fmt::format("Test accuracy over {} splits{}; in brackets the paper's.\n\n{}",
                              comparison.splits, flags.quick ? " of at most 60 epochs (--quick)" : "",
                              table));
}

}  // namespace

void add_reproduce(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("reproduce", "Make a table of the paper: every model on every data set");
  const auto flags = std::make_shared<ReproduceFlags>();
  experiments::Comparison& comparison = flags->comparison;
  comparison.folder = "results";
  command->add_option("table", flags->table, "real-world or synthetic")->required();
  command->add_option("--data", flags->data, "Only these data sets")->delimiter(',');
  command->add_option("--models", flags->models, "Only these models")->delimiter(',');
  command->add_option("--splits", comparison.splits, "Splits of each cell")->check(CLI::Range(1, 10000));
  command->add_option("--trials", comparison.trials, "Configurations tried per cell, chosen on validation")
      ->check(CLI::Range(1, 10000));
  command->add_option("--search-splits", comparison.search_splits, "Splits on which they are tried")
      ->check(CLI::Range(1, 10000));
  command->add_option("--seed", comparison.seed, "Seed of splits, draws, weights and dropout");
  command->add_option("--device", comparison.device, "auto, cpu or cuda");
  command
      ->add_option("--presets", comparison.presets,
                   "Folder of DATA/MODEL.toml, each the first configuration tried")
      ->check(CLI::ExistingDirectory);
  command->add_option("--out", comparison.folder,
                      "Folder of cells and tables; what is there is not made again");
  command->add_option("--jobs", flags->jobs, "Cells made side by side")->check(CLI::Range(1, 256));
  command->add_flag("--quick", flags->quick, "Two splits of at most 60 epochs");
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->add_option("--cell", flags->cell, "DATA/MODEL of a worker process")->group("");
  command->callback(
      [&context, flags] { context.action = [&context, flags] { reproduce(*flags, context); }; });
}

}  // namespace dshn::cli
