#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/save.hpp"
#include "cli/seed_flag.hpp"
#include "cli/text.hpp"
#include "dshn/base/error.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/io/data_files.hpp"
#include "dshn/io/format.hpp"

namespace dshn::cli {
namespace {

using Json = nlohmann::ordered_json;

struct GenerateFlags {
  std::string kind;
  std::string out;
  bool force = false;
  bool json = false;
  std::optional<Index> nodes;
  std::uint64_t seed = 0;
  SyntheticOptions synthetic;
  RandomOptions random;
  std::string size_law = "uniform";
  std::string degree_law = "uniform";
  Index random_classes = 0;
  Index random_features = 0;
  Index feature_columns = 0;
  double feature_signal = 1;
  std::vector<const CLI::Option*> only_synthetic, only_random;
};

SizeLaw size_law(const std::string& word) {
  if (word == "fixed") return SizeLaw::fixed;
  if (word == "poisson") return SizeLaw::poisson;
  return word == "power-law" ? SizeLaw::power_law : SizeLaw::uniform;
}

/// What was generated, and the parameters that would generate it again.
struct Made {
  io::Loaded loaded;
  Json parameters;
};

Made make_synthetic(const GenerateFlags& flags) {
  SyntheticOptions options = flags.synthetic;
  options.nodes = flags.nodes.value_or(options.nodes);
  options.seed = flags.seed;
  LabelledHypergraph made = synthetic_benchmark(options);
  Made out;
  out.loaded.hypergraph = made.hypergraph;
  const std::vector<std::int64_t> labels(made.labels.begin(), made.labels.end());
  out.loaded.arrays[io::kNodeLabels] = io::Array::of(labels, {static_cast<std::int64_t>(labels.size())});
  if (flags.feature_columns > 0) {
    out.loaded.arrays[io::kNodeFeatures] =
        io::Array::of(class_features(made.labels, flags.feature_columns, flags.feature_signal, options.seed),
                      {options.nodes, flags.feature_columns});
  }
  out.parameters = {{"kind", "synthetic"},    {"nodes", options.nodes}, {"classes", options.classes},
                    {"h_min", options.h_min}, {"h_max", options.h_max}, {"intra", options.intra},
                    {"inter", options.inter}, {"seed", options.seed}};
  if (flags.feature_columns > 0) {
    out.parameters["feature_columns"] = flags.feature_columns;
    out.parameters["feature_signal"] = flags.feature_signal;
  }
  return out;
}

Made make_random(const GenerateFlags& flags) {
  RandomOptions options = flags.random;
  options.nodes = flags.nodes.value_or(options.nodes);
  options.seed = flags.seed;
  options.size_law = size_law(flags.size_law);
  options.degree_law = flags.degree_law == "power-law" ? DegreeLaw::power_law : DegreeLaw::uniform;
  Made out;
  out.loaded.hypergraph = random_hypergraph(options);
  if (flags.random_classes > 0) {
    out.loaded.arrays[io::kNodeLabels] =
        io::Array::of(random_labels(options.nodes, flags.random_classes, flags.seed), {options.nodes});
  }
  if (flags.random_features > 0) {
    out.loaded.arrays[io::kNodeFeatures] =
        io::Array::of(random_features(options.nodes, flags.random_features, flags.seed),
                      {options.nodes, flags.random_features});
  }
  out.parameters = {{"kind", "random"},
                    {"nodes", options.nodes},
                    {"hyperedges", options.hyperedges},
                    {"size_law", flags.size_law},
                    {"mean_size", options.mean_size},
                    {"max_size", options.max_size},
                    {"degree_law", flags.degree_law},
                    {"degree_exponent", options.degree_exponent},
                    {"directed_share", options.directed_share},
                    {"tail_share", options.tail_share},
                    {"random_labels", flags.random_classes},
                    {"random_features", flags.random_features},
                    {"seed", options.seed}};
  return out;
}

void refuse_options_of_the_other_kind(const GenerateFlags& flags) {
  const bool synthetic = flags.kind == "synthetic";
  for (const CLI::Option* option : synthetic ? flags.only_random : flags.only_synthetic) {
    if (option->count() == 0) continue;
    throw UsageError(fmt::format("{} means nothing to --kind {}; it belongs to --kind {}", option->get_name(),
                                 flags.kind, synthetic ? "random" : "synthetic"));
  }
}

void generate(const GenerateFlags& flags, const Context& context) {
  refuse_options_of_the_other_kind(flags);
  check_target(flags.out, flags.force);
  Activity activity(context.err, fmt::format("generating {}", flags.out));
  Made made = flags.kind == "synthetic" ? make_synthetic(flags) : make_random(flags);
  // A warning about a format without a place for it would say nothing that the user does not know.
  if (io::format_to_write(flags.out).holds_metadata) {
    made.loaded.metadata = Json{{"generator", made.parameters}}.dump();
  }
  const std::vector<std::string> warnings = save(made.loaded, flags.out, flags.force);
  activity.stop();

  for (const std::string& line : warnings) context.warn(line);
  const Hypergraph& hypergraph = made.loaded.hypergraph;
  if (flags.json) {
    context.print_json({{"out", flags.out},
                        {"n_nodes", hypergraph.node_count()},
                        {"n_hyperedges", hypergraph.edge_count()},
                        {"n_incidences", hypergraph.incidence_count()},
                        {"parameters", made.parameters}});
    return;
  }
  context.print(fmt::format("{}: {} nodes, {} hyperedges, {} incidences ({}, seed {})\n",
                            printable(flags.out), with_commas(hypergraph.node_count()),
                            with_commas(hypergraph.edge_count()), with_commas(hypergraph.incidence_count()),
                            flags.kind, flags.seed));
}

void add_synthetic_options(CLI::App& command, GenerateFlags& flags) {
  SyntheticOptions& options = flags.synthetic;
  const auto add = [&](const char* name, auto& value, const char* help) {
    CLI::Option* option =
        command.add_option(name, value, help)->capture_default_str()->group("--kind synthetic");
    flags.only_synthetic.push_back(option->check(CLI::NonNegativeNumber));
    return option;
  };
  add("--classes", options.classes, "Classes of nodes");
  add("--intra", options.intra, "Undirected hyperedges inside each class");
  add("--inter", options.inter, "Directed hyperedges from each class to each later one (the paper's I_o)");
  add("--h-min", options.h_min, "Least size of an undirected hyperedge, of a tail set and of a head set");
  add("--h-max", options.h_max, "Greatest size of the same");
  CLI::Option* const columns =
      add("--feature-columns", flags.feature_columns, "So many features for each node; 0 for none");
  add("--feature-signal", flags.feature_signal,
      "Distance of the classes' centres from 0, beside a noise of 1 in every column; 0: features of no use")
      ->needs(columns);
}

void add_random_options(CLI::App& command, GenerateFlags& flags) {
  RandomOptions& options = flags.random;
  const auto add = [&](const char* name, auto& value, const char* help) {
    CLI::Option* option =
        command.add_option(name, value, help)->capture_default_str()->group("--kind random");
    flags.only_random.push_back(option);
    return option;
  };
  add("--hyperedges", options.hyperedges, "Hyperedges")->check(CLI::NonNegativeNumber);
  add("--size-law", flags.size_law, "How the sizes of hyperedges are distributed")
      ->check(CLI::IsMember({"fixed", "uniform", "poisson", "power-law"}));
  add("--mean-size", options.mean_size, "Mean size of a hyperedge")->check(CLI::PositiveNumber);
  add("--max-size", options.max_size, "Greatest size of a hyperedge; 0 for all nodes, but at most 10000")
      ->check(CLI::NonNegativeNumber);
  add("--degree-law", flags.degree_law, "How the degrees of nodes are distributed")
      ->check(CLI::IsMember({"uniform", "power-law"}));
  add("--degree-exponent", options.degree_exponent, "Exponent of the degrees' power law, above 2");
  add("--directed-share", options.directed_share, "Probability that a hyperedge is directed")
      ->check(CLI::Range(0.0, 1.0));
  add("--tail-share", options.tail_share, "Share of tails in a directed hyperedge")
      ->check(CLI::Range(0.0, 1.0));
  add("--random-labels", flags.random_classes, "Draw a label below this number for each node; 0 for none")
      ->check(CLI::NonNegativeNumber);
  add("--random-features", flags.random_features, "Draw so many normal features for each node; 0 for none")
      ->check(CLI::NonNegativeNumber);
}

}  // namespace

void add_data_generate(CLI::App& data, Context& context) {
  CLI::App* command = data.add_subcommand(
      "generate", "Make the paper's synthetic benchmark, or a large random directed hypergraph");
  const auto flags = std::make_shared<GenerateFlags>();
  command->add_option("--kind", flags->kind, "The paper's benchmark, or a random hypergraph for measurements")
      ->check(CLI::IsMember({"synthetic", "random"}))
      ->required();
  command->add_option("--out", flags->out, "What to write: " + io::output_names())->required();
  command->add_option("--nodes", flags->nodes, "Nodes [500 for synthetic, 1000 for random]")
      ->check(CLI::NonNegativeNumber);
  add_seed(*command, "--seed", flags->seed, "The same seed gives the same bits");
  command->add_flag("--force", flags->force, "Overwrite what is there");
  command->add_flag("--json", flags->json, "Print one JSON document");
  add_synthetic_options(*command, *flags);
  add_random_options(*command, *flags);
  command->callback([&context, flags] { context.action = [&context, flags] { generate(*flags, context); }; });
}

}  // namespace dshn::cli
