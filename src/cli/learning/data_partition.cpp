#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/learning/assignments.hpp"
#include "cli/learning_module.hpp"
#include "cli/loader_flags.hpp"
#include "cli/progress.hpp"
#include "cli/seed_flag.hpp"
#include "cli/text.hpp"
#include "dshn/base/error.hpp"
#include "dshn/parts/divide.hpp"
#include "dshn/parts/folder.hpp"
#include "dshn/train/rank_part.hpp"

namespace dshn::cli {
namespace {

struct PartitionFlags {
  train::Settings settings;
  LoaderFlags loader;
  std::vector<std::string> set;
  std::string split;
  int parts = 2;
  std::string method = std::string(parts::method_name(parts::best_method()));
  std::filesystem::path out;
  bool json = false;
};

train::Settings settings_of(const PartitionFlags& flags) {
  train::Settings settings = flags.settings;
  settings.model = "linear";  // any that takes targets of every kind: nothing of it is kept
  settings.device = "cpu";
  settings.set = parse_assignments("--set", flags.set);
  for (const auto& [name, value] : settings.set) {
    const std::vector<std::string>& known = train::options_of_parts();
    if (std::ranges::find(known, name) == known.end())
      throw UsageError(fmt::format("--set {}: it is no matter of parts; expected one of {}", name,
                                   fmt::join(known, ", ")));
  }
  if (!flags.split.empty()) settings.set["split"] = flags.split;
  settings.reading = flags.loader.given();
  return settings;
}

void print(const PartitionFlags& flags, const data::Dataset& dataset, const parts::Cut& cut,
           const Context& context) {
  if (flags.json) {
    context.print_json({{"data", flags.settings.data},
                        {"out", flags.out.string()},
                        {"parts", flags.parts},
                        {"method", flags.method},
                        {"traffic", cut.traffic},
                        {"shared_hyperedges", cut.shared_edges},
                        {"imbalance", cut.imbalance}});
    return;
  }
  context.print(fmt::format(
      "{} -> {}: {} parts by {}, {} of {} hyperedges in several, {} sums between parts, the largest part "
      "{:.1f} "
      "% above "
      "the mean\n",
      dataset.name, printable(flags.out.string()), flags.parts, flags.method, with_commas(cut.shared_edges),
      with_commas(dataset.hypergraph.edge_count()), with_commas(cut.traffic), 100 * cut.imbalance));
}

void partition(const PartitionFlags& flags, const Context& context) {
  const parts::Method method = parts::method(flags.method);
  const train::Settings settings = settings_of(flags);
  static_cast<void>(settings.all_options());
  const train::Experiment experiment(context.shelf->open(settings.data, train::open_options(settings)),
                                     settings);
  const data::Dataset& dataset = *experiment.dataset;
  print_remarks(dataset, context);
  Activity activity(context.err, "cutting " + settings.data);
  const parts::Partition division = parts::divide(dataset.hypergraph, flags.parts, method, settings.seed);
  const train::ExperimentParts all = train::cut(experiment, division);
  parts::write(flags.out, all.parts, all.whole.text());
  activity.stop();
  print(flags, dataset, parts::measure(dataset.hypergraph, division), context);
}

}  // namespace

void add_data_partition(CLI::App& app, Context& context) {
  CLI::App* command = add_learning_command(app, "data partition");
  const auto flags = std::make_shared<PartitionFlags>();
  train::Settings& settings = flags->settings;
  command->add_option("WHAT", settings.data, "A built-in name, a data set folder, or a file")->required();
  command->add_option("--parts", flags->parts, "How many: as many as there will be ranks")
      ->required()
      ->check(CLI::Range(1, 1 << 20));
  command->add_option("--out", flags->out, "The folder for them")->required();
  command->add_option("--method", flags->method, "metis, block or random")->capture_default_str();
  command->add_option("--set", flags->set, "name=value of features, scaling or spectral_...; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--splits", settings.splits, "How many splits (default: the data set's protocol)")
      ->check(CLI::Range(1, 10000));
  command->add_option("--split", flags->split, "How items are divided: 60/20/20, random, published, ...");
  add_seed(*command, "--seed", settings.seed, "Seed of splits, random features and the partition");
  command->add_flag("--json", flags->json, "Print one JSON document");
  flags->loader.add_to(*command);
  command->callback(
      [&context, flags] { context.action = [&context, flags] { partition(*flags, context); }; });
}

}  // namespace dshn::cli
