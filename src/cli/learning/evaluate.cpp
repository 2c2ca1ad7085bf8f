#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/learning/run_data.hpp"
#include "cli/learning/run_table.hpp"
#include "cli/learning_module.hpp"
#include "cli/loader_flags.hpp"
#include "dshn/base/error.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/train/experiment.hpp"
#include "dshn/train/predict.hpp"
#include "dshn/train/run_inputs.hpp"

namespace dshn::cli {
namespace {

struct EvaluateFlags {
  std::filesystem::path run;
  std::string data;
  LoaderFlags loader;
  bool json = false;
};

/// A mean over fewer splits than were trained is no figure of the run: the status says so too.
void require_all_splits(const train::RunResult& result, const std::filesystem::path& run) {
  if (result.missing.empty()) return;
  throw Failure(fmt::format(
      "{}: the weights of split {} are missing; these figures are of the other {} of {} splits", run.string(),
      fmt::join(result.missing, ", "), result.splits.size(), result.splits.size() + result.missing.size()));
}

/// Settings that have lost their number of splits ask for as many as the data set suggests.
void require_splits_of_run(const train::Experiment& experiment, const std::filesystem::path& run) {
  const auto inputs = train::read_inputs(run);
  if (!inputs || inputs->split_digests.size() >= experiment.splits.size()) return;
  throw InvalidInput(fmt::format("{}: {} asks for {} splits, but the run has {}", run.string(),
                                 io::kConfigFile, experiment.splits.size(), inputs->split_digests.size()));
}

void evaluate_again(const EvaluateFlags& flags, const Context& context) {
  train::Settings settings = train::read_run(flags.run);
  for (const auto& [name, value] : flags.loader.given()) settings.reading[name] = value;
  const auto make = [&] { return train::Experiment(settings); };
  const train::Experiment experiment = flags.loader.given().empty() ? of_run(flags.run, make) : make();
  require_splits_of_run(experiment, flags.run);
  const train::RunResult result = train::evaluate(experiment, flags.run);
  if (flags.json)
    context.print_json(train::to_json(result, experiment, flags.run));
  else
    context.print(run_table(result, experiment, flags.run, context.out));
  require_all_splits(result, flags.run);
}

void evaluate_elsewhere(const EvaluateFlags& flags, const Context& context) {
  const auto [settings, dataset] = open_run_data(flags.run, flags.data, flags.loader.given(), context);
  const train::RunResult result = train::evaluate_on(flags.run, settings, *dataset);
  if (flags.json)
    context.print_json(train::to_json(result, *dataset, settings, flags.run));
  else
    context.print(table_of_other_data(result, *dataset, settings, context.out));
  require_all_splits(result, flags.run);
}

}  // namespace

void add_evaluate(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("evaluate", summary_of("evaluate"));
  const auto flags = std::make_shared<EvaluateFlags>();
  command->add_option("RUN", flags->run, "Run folder")->required();
  command->add_option("--data", flags->data,
                      "Another data set, all of whose labelled items count (default: the run's own)");
  command->add_flag("--json", flags->json, "Print one JSON document");
  flags->loader.add_to(*command);
  command->callback([&context, flags] {
    context.action = [&context, flags] {
      flags->data.empty() ? evaluate_again(*flags, context) : evaluate_elsewhere(*flags, context);
    };
  });
}

}  // namespace dshn::cli
