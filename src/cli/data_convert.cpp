#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/loader_flags.hpp"
#include "cli/progress.hpp"
#include "cli/save.hpp"
#include "cli/text.hpp"
#include "dshn/data/reading.hpp"
#include "dshn/io/format.hpp"

namespace dshn::cli {
namespace {

struct ConvertFlags {
  std::string in;
  std::string out;
  LoaderFlags loader;
  bool force = false;
  bool json = false;
};

void report(const ConvertFlags& flags, const io::Loaded& loaded, const Context& context) {
  const Hypergraph& hypergraph = loaded.hypergraph;
  if (flags.json) {
    context.print_json({{"in", flags.in},
                        {"out", flags.out},
                        {"format", loaded.format},
                        {"n_nodes", hypergraph.node_count()},
                        {"n_hyperedges", hypergraph.edge_count()},
                        {"n_incidences", hypergraph.incidence_count()},
                        {"warnings", loaded.warnings}});
    return;
  }
  context.print(fmt::format("{} ({}) -> {}: {} nodes, {} hyperedges, {} incidences\n", printable(flags.in),
                            loaded.format, printable(flags.out), with_commas(hypergraph.node_count()),
                            with_commas(hypergraph.edge_count()), with_commas(hypergraph.incidence_count())));
}

void convert(const ConvertFlags& flags, const Context& context) {
  check_target(flags.out, flags.force);
  ProgressBar bar(context.err, "reading " + flags.in);
  data::OpenOptions options = data::open_options(flags.loader.given());
  options.load.progress = [&bar](std::int64_t done, std::int64_t total) { bar.update(done, total); };
  data::OpenedArrays opened =
      data::open_arrays(flags.in, options, io::format_to_write(flags.out).holds_ready);
  io::Loaded& loaded = opened.loaded;
  bar.finish();

  Activity activity(context.err, "writing " + flags.out);
  for (const std::string& line : save(loaded, flags.out, flags.force)) loaded.warnings.push_back(line);
  activity.stop();
  for (const std::string& line : opened.notes) context.note(line);
  for (const std::string& line : loaded.warnings) context.warn(line);
  report(flags, loaded, context);
}

}  // namespace

void add_data_convert(CLI::App& data, Context& context) {
  CLI::App* command = data.add_subcommand("convert", "Write a data set in another format");
  const auto flags = std::make_shared<ConvertFlags>();
  command->add_option("IN", flags->in, "A built-in name, or one of: " + io::input_formats())->required();
  command->add_option("OUT", flags->out, "What to write: " + io::output_names())->required();
  command->add_flag("--force", flags->force, "Overwrite what is there");
  command->add_flag("--json", flags->json, "Print one JSON document");
  flags->loader.add_to(*command);
  command->callback([&context, flags] { context.action = [&context, flags] { convert(*flags, context); }; });
}

}  // namespace dshn::cli
