#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/description.hpp"
#include "cli/draw.hpp"
#include "cli/loader_flags.hpp"
#include "cli/progress.hpp"
#include "dshn/base/error.hpp"

namespace dshn::cli {
namespace {

struct InfoFlags {
  std::string what;
  std::string compare;
  LoaderFlags loader;
  bool draw = false;
  bool json = false;
};

/// The row to compare with: the one asked for, else that of the data set's own name, if it has one.
const data::Entry* paper_entry(const InfoFlags& flags, const data::Dataset& dataset) {
  if (flags.compare.empty()) return data::find_entry(dataset.name);
  const data::Entry* entry = data::find_entry(flags.compare);
  if (entry != nullptr && entry->paper) return entry;
  const std::string meant = data::nearest_name(flags.compare);
  throw UsageError(fmt::format("--compare: the paper has no row for '{}'; {}", flags.compare,
                               entry == nullptr && !meant.empty()
                                   ? "did you mean " + meant + "?"
                                   : "'dshn data list' names the built-in data sets"));
}

std::string picture(const data::Dataset& dataset, const Terminal& terminal) {
  DrawOptions options;
  const bool nodes = dataset.task == data::Task::node_classification;
  (nodes ? options.node_labels : options.edge_labels) = dataset.labels;
  return '\n' + draw_incidence(dataset.hypergraph, options, terminal);
}

void info(const InfoFlags& flags, const Context& context) {
  if (!flags.compare.empty()) paper_entry(flags, {});  // a misspelt name should not wait for the data
  const data::Dataset dataset = flags.loader.open(flags.what, context);
  Activity activity(context.err, "describing " + flags.what);
  const Description description = describe(dataset, paper_entry(flags, dataset));
  activity.stop();
  print_remarks(dataset, context);
  if (flags.json) {
    context.print_json(document(description));
  } else {
    context.print(page(description, context.out) + (flags.draw ? picture(dataset, context.out) : ""));
  }
}

}  // namespace

void add_data_info(CLI::App& data, Context& context) {
  CLI::App* command =
      data.add_subcommand("info", "Describe a data set, beside the paper's figures where there are any");
  const auto flags = std::make_shared<InfoFlags>();
  command->add_option("WHAT", flags->what, "A built-in name, a data set folder, or a file")->required();
  command->add_option("--compare", flags->compare, "Compare with the paper's row of this built-in data set");
  auto* draw = command->add_flag("--draw", flags->draw, "Draw which nodes are in which hyperedges");
  command->add_flag("--json", flags->json, "Print one JSON document")->excludes(draw);
  flags->loader.add_to(*command);
  command->callback([&context, flags] { context.action = [&context, flags] { info(*flags, context); }; });
}

}  // namespace dshn::cli
