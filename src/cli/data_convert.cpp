#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.hpp"
#include "cli/loader_flags.hpp"
#include "cli/progress.hpp"
#include "cli/save.hpp"
#include "cli/text.hpp"
#include "dshn/data/assemble.hpp"
#include "dshn/data/catalog.hpp"
#include "dshn/data/open.hpp"
#include "dshn/io/data_files.hpp"
#include "dshn/io/format.hpp"

namespace dshn::cli {
namespace {

namespace fs = std::filesystem;

struct ConvertFlags {
  std::string in;
  std::string out;
  LoaderFlags loader;
  bool force = false;
  bool json = false;
};

/// Where the input's files are; nothing for a data set that is made on the spot, and for what does not exist.
std::optional<fs::path> path_of(const std::string& what) {
  if (const data::Entry* entry = data::find_entry(what)) {
    const auto folder = data::locate(what);
    return folder ? std::optional(data::loadable(*folder, *entry)) : std::nullopt;
  }
  if (what.find('/') == std::string::npos) {
    if (auto folder = data::locate(what)) return folder;
  }
  std::error_code ignored;
  return fs::exists(what, ignored) ? std::optional<fs::path>(what) : std::nullopt;
}

/// As the files have it, array by array, so that converting changes nothing but the format.
io::Loaded load_verbatim(const std::string& what, const io::LoadOptions& options) {
  if (const auto path = path_of(what)) {
    io::Loaded loaded = io::load(*path, options);
    // Only to refuse arrays that do not fit the hypergraph or each other.
    if (!loaded.arrays.empty()) data::assemble(loaded, {what, path->string(), {}});
    return loaded;
  }
  data::OpenOptions open_options;
  open_options.load = options;
  data::Dataset dataset = data::open(what, open_options);
  const std::vector<std::int64_t> labels(dataset.labels.begin(), dataset.labels.end());
  io::Loaded loaded;
  loaded.hypergraph = dataset.hypergraph;
  loaded.format = dataset.format;
  loaded.warnings = dataset.warnings;
  loaded.arrays[io::kNodeLabels] = io::Array::of(labels, {static_cast<std::int64_t>(labels.size())});
  return loaded;
}

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
  io::LoadOptions options = flags.loader.options();
  options.progress = [&bar](std::int64_t done, std::int64_t total) { bar.update(done, total); };
  io::Loaded loaded = load_verbatim(flags.in, options);
  bar.finish();

  Activity activity(context.err, "writing " + flags.out);
  for (const std::string& line : save(loaded, flags.out, flags.force)) loaded.warnings.push_back(line);
  activity.stop();
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
