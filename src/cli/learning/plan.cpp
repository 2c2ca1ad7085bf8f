#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/learning/assignments.hpp"
#include "cli/learning/plan_page.hpp"
#include "cli/learning/preset_flag.hpp"
#include "cli/learning_module.hpp"
#include "cli/loader_flags.hpp"
#include "cli/progress.hpp"
#include "dshn/base/error.hpp"
#include "dshn/parts/divide.hpp"
#include "dshn/parts/folder.hpp"
#include "dshn/train/experiment.hpp"

namespace dshn::cli {
namespace {

struct PlanFlags {
  train::Settings settings;
  LoaderFlags loader;
  std::vector<std::string> set;
  std::string preset = kPresetAuto;
  std::int64_t nodes = 0;
  std::int64_t hyperedges = 0;
  std::int64_t incidences = 0;
  std::int64_t features = 16;
  std::int64_t classes = 2;
  double directed = 1;
  double cut = 0;
  double imbalance = 0;
  std::string method;
  train::Fleet fleet;
  double memory = 64;   // GB
  double network = 10;  // Gbit/s
  double latency = 50;  // microseconds
  bool json = false;
  CLI::App* command = nullptr;

  bool given(const char* flag) const { return command->count(flag) > 0; }
};

train::Settings settings_of(const PlanFlags& flags, const Context& context) {
  train::Settings settings = flags.settings;
  if (!settings.data.empty())
    if (const auto preset = chosen_preset(flags.preset, settings, context))
      experiments::apply(*preset, settings);
  for (const auto& [name, value] : parse_assignments("--set", flags.set)) settings.set[name] = value;
  settings.reading = flags.loader.given();
  settings.device = "cpu";
  settings.splits = 1;
  static_cast<void>(settings.all_options());
  return settings;
}

/// What is told by numbers is not told by data.
void check(const PlanFlags& flags) {
  constexpr const char* kSizes[] = {"--nodes", "--hyperedges", "--incidences"};
  constexpr const char* kOfSizes[] = {"--feature-columns", "--classes", "--directed", "--cut", "--imbalance"};
  const bool sizes = flags.settings.data.empty();
  for (const char* flag : kSizes)
    if (flags.given(flag) != sizes)
      throw UsageError(sizes ? fmt::format("{} is missing: expected data, or --nodes, --hyperedges and "
                                           "--incidences",
                                           flag)
                             : fmt::format("{}: {} says that by itself", flag, flags.settings.data));
  for (const char* flag : kOfSizes)
    if (!sizes && flags.given(flag))
      throw UsageError(fmt::format("{}: {} says that by itself", flag, flags.settings.data));
  if (sizes && flags.given("--partition"))
    throw UsageError("--partition: there is nothing to divide; --cut says what it comes to");
}

train::Fleet fleet_of(const PlanFlags& flags) {
  train::Fleet fleet = flags.fleet;
  fleet.memory_bytes = 1e9 * flags.memory;
  fleet.bits_per_second = 1e9 * flags.network;
  fleet.latency_seconds = 1e-6 * flags.latency;
  return fleet;
}

void work_out(PlanReport& report, const train::Experiment& like) {
  train::check_plan(report.whole, report.division, report.fleet);
  report.cost = train::rank_cost(like, report.whole, report.division, report.fleet.ranks);
  report.processors =
      train::make_plan(report.cost, report.whole, report.division, report.fleet, train::processor_rates());
  report.cards =
      train::make_plan(report.cost, report.whole, report.division, report.fleet, train::card_rates());
}

void plan_by_sizes(PlanReport& report, const PlanFlags& flags, const Context& context) {
  report.whole = {static_cast<double>(flags.nodes), static_cast<double>(flags.hyperedges),
                  static_cast<double>(flags.incidences)};
  report.cut_is_guessed = report.fleet.ranks > 1 && !flags.given("--cut");
  report.division.cut =
      report.cut_is_guessed ? train::random_cut(report.whole, report.fleet.ranks) : flags.cut;
  report.division.imbalance = flags.imbalance;
  train::check_plan(report.whole, report.division, report.fleet);
  work_out(report,
           train::made_up(settings_of(flags, context), flags.features, flags.classes, flags.directed));
}

void plan_by_data(PlanReport& report, const PlanFlags& flags, const Context& context) {
  const train::Settings settings = settings_of(flags, context);
  if (parts::holds_parts(settings.data))
    throw UsageError(fmt::format("{}: is cut already; name the data that it was cut from", settings.data));
  const parts::Method method = flags.method.empty() ? parts::best_method() : parts::method(flags.method);
  const train::Experiment experiment(context.shelf->open(settings.data, train::open_options(settings)),
                                     settings);
  print_remarks(*experiment.dataset, context);
  const Hypergraph& hypergraph = experiment.dataset->hypergraph;
  report.data = experiment.dataset->name;
  report.whole = {static_cast<double>(hypergraph.node_count()), static_cast<double>(hypergraph.edge_count()),
                  static_cast<double>(hypergraph.incidence_count())};
  Activity activity(context.err, "planning for " + settings.data);
  const parts::Cut cut =
      parts::measure(hypergraph, parts::divide(hypergraph, report.fleet.ranks, method, /*seed=*/0));
  report.division = {static_cast<double>(cut.traffic), cut.imbalance, method == parts::Method::metis};
  work_out(report, experiment);
  activity.stop();
}

void plan(const PlanFlags& flags, const Context& context) {
  check(flags);
  PlanReport report;
  report.model = flags.settings.model;
  report.fleet = fleet_of(flags);
  flags.settings.data.empty() ? plan_by_sizes(report, flags, context) : plan_by_data(report, flags, context);
  if (flags.json)
    context.print_json(plan_document(report));
  else
    context.print(plan_page(report, context.out));
}

void add_sizes(CLI::App& command, PlanFlags& flags) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;  // what a double holds
  const CLI::Range size(std::int64_t{1}, kMost);
  command.add_option("--nodes", flags.nodes, "Without data: how many nodes")->check(size);
  command.add_option("--hyperedges", flags.hyperedges, "How many hyperedges")->check(size);
  command.add_option("--incidences", flags.incidences, "How many members they have together")->check(size);
  command.add_option("--feature-columns", flags.features, "Columns of node features")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  command.add_option("--classes", flags.classes, "How many classes")
      ->check(CLI::Range(2, 1 << 16))
      ->capture_default_str();
  command.add_option("--directed", flags.directed, "Share of hyperedges with tails and heads")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command.add_option("--cut", flags.cut,
                     "Sums between parts, as dshn data partition prints them (default: of nodes dealt out at "
                     "random)");
  command.add_option("--imbalance", flags.imbalance, "By how much the largest part is above the mean: 0.05")
      ->check(CLI::Range(0.0, 1e6));
}

void add_fleet(CLI::App& command, PlanFlags& flags) {
  command.add_option("--ranks", flags.fleet.ranks, "Processes that train together")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  command.add_option("--machines", flags.fleet.machines, "Machines that the ranks are spread over")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  command.add_option("--threads", flags.fleet.threads, "Threads of each rank")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command.add_option("--cores", flags.fleet.cores, "Cores of each machine (default: one for each thread)")
      ->check(CLI::Range(1, 1 << 16));
  command.add_option("--memory", flags.memory, "GB of memory of each machine")
      ->check(CLI::Range(1e-3, 1e9))
      ->capture_default_str();
  command
      .add_option("--network", flags.network, "Gbit/s between a machine and the others, in each direction")
      ->check(CLI::Range(1e-6, 1e6))
      ->capture_default_str();
  command.add_option("--latency", flags.latency, "Microseconds from one machine to another")
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str();
}

}  // namespace

void add_plan(CLI::App& app, Context& context) {
  CLI::App* command = add_learning_command(app, "plan");
  const auto flags = std::make_shared<PlanFlags>();
  flags->command = command;
  command->add_option("WHAT", flags->settings.data, "A built-in name, a data set folder, or a file");
  add_sizes(*command, *flags);
  command->add_option("--model", flags->settings.model, "Which model")->capture_default_str();
  command->add_option("--set", flags->set, "name=value of a model or training option; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  add_preset_flag(*command, flags->preset);
  add_fleet(*command, *flags);
  command->add_option("--partition", flags->method, "How ranks divide the data: metis, block or random");
  command->add_flag("--json", flags->json, "Print one JSON document");
  flags->loader.add_to(*command);
  command->callback([&context, flags] { context.action = [&context, flags] { plan(*flags, context); }; });
}

}  // namespace dshn::cli
