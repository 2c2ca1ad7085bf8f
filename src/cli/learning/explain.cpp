#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/learning/explanation.hpp"
#include "cli/learning/run_data.hpp"
#include "cli/learning_module.hpp"
#include "cli/loader_flags.hpp"
#include "cli/progress.hpp"
#include "dshn/base/error.hpp"

namespace dshn::cli {
namespace {

struct ExplainFlags {
  std::filesystem::path run;
  std::string data;
  std::string node;
  std::string hyperedge;
  LoaderFlags loader;
  int split = 0;
  std::size_t top = 10;
  bool json = false;
};

/// The name that was given, of the kind that the run classifies.
const std::string& asked_for(const ExplainFlags& flags, const data::Dataset& dataset) {
  const bool nodes = dataset.task == data::Task::node_classification;
  const std::string& name = nodes ? flags.node : flags.hyperedge;
  if (!name.empty()) return name;
  throw UsageError(fmt::format("{0} classifies {1}s; name one with --{1}", flags.run.string(),
                               data::item_word(dataset.task)));
}

void explain(const ExplainFlags& flags, const Context& context) {
  const auto [settings, dataset] = open_run_data(flags.run, flags.data, flags.loader.given(), context);
  const std::string& name = asked_for(flags, *dataset);
  Activity activity(context.err, "explaining");
  const train::LoadedModel model = train::load_model(flags.run, flags.split, settings, *dataset);
  const NamedExplanation explanation =
      explain_by_name({flags.run, flags.split, settings, *dataset, model}, name, flags.top);
  activity.stop();
  if (flags.json)
    context.print_json(document(explanation));
  else
    context.print(page(explanation, context.out));
}

}  // namespace

void add_explain(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("explain", summary_of("explain"));
  const auto flags = std::make_shared<ExplainFlags>();
  command->add_option("RUN", flags->run, "Run folder")->required();
  CLI::Option* node = command->add_option("--node", flags->node, "A node, by its name in the data");
  CLI::Option* hyperedge =
      command->add_option("--hyperedge", flags->hyperedge, "A hyperedge, by its name in the data");
  node->excludes(hyperedge);
  command->add_option("--data", flags->data,
                      "Another data set with the same features (default: the run's own)");
  command->add_option("--split", flags->split, "Which split's weights")->capture_default_str();
  command->add_option("--top", flags->top, "How many are shown of each kind")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_flag("--json", flags->json, "Print one JSON document");
  flags->loader.add_to(*command);
  command->callback([&context, flags] { context.action = [&context, flags] { explain(*flags, context); }; });
}

}  // namespace dshn::cli
