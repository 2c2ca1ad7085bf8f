#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/learning/run_details.hpp"
#include "cli/progress.hpp"
#include "dshn/base/error.hpp"
#include "dshn/experiments/paper_results.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/report/page.hpp"
#include "dshn/report/run_folder.hpp"

namespace dshn::cli {
namespace {

using nlohmann::ordered_json;

struct ReportFlags {
  std::vector<std::filesystem::path> runs;
  std::vector<std::filesystem::path> results;
  std::filesystem::path out = "report.html";
  std::string title = "dshn report";
  std::size_t details = 8;
  bool open = false;
};

/// As the paper prints it, or as the run says where this program does not have the model.
std::string model_title(const std::string& name) {
  for (const models::ModelEntry& entry : models::all_models())
    if (entry.name == name) return entry.title;
  return name;
}

/// Every option with its value, so that runs can be compared option by option; what the run folder says when
/// its configuration cannot be read here.
void complete_options(ordered_json& run, const std::filesystem::path& folder) {
  try {
    const train::Settings settings = train::read_config(folder / io::kConfigFile);
    for (const Options& options : {settings.model_options(), settings.training()})
      for (const auto& [name, value] : options.values()) run["options"][name] = value;
  } catch (const Error&) {
    run["options_incomplete"] = true;
  }
}

ordered_json collect_runs(const ReportFlags& flags, RunDetails& details) {
  ordered_json runs = ordered_json::array();
  for (const std::filesystem::path& folder : flags.runs) {
    ordered_json run = report::read_run(folder);
    run["title"] = model_title(run["model"]);
    run["paper"] = experiments::to_json(
        experiments::paper_figure(run["data"].get<std::string>(), run["model"].get<std::string>()));
    complete_options(run, folder);
    run["details"] =
        runs.size() < flags.details
            ? details.of(folder)
            : ordered_json{
                  {"missing", fmt::format("left out to keep the page small: only the first {} runs have "
                                          "this; --details changes the number",
                                          flags.details)}};
    runs.push_back(std::move(run));
  }
  return runs;
}

ordered_json collect_tables(const ReportFlags& flags) {
  ordered_json tables = ordered_json::array();
  for (const std::filesystem::path& file : flags.results) {
    ordered_json table = report::read_results(file);
    for (ordered_json& cell : table["cells"]) cell["title"] = model_title(cell["model"]);
    tables.push_back(std::move(table));
  }
  return tables;
}

void open_in_browser(const std::filesystem::path& page) {
  std::string program = "xdg-open";
  std::string file = page.string();
  char* const words[] = {program.data(), file.data(), nullptr};
  pid_t child = 0;
  int status = 0;
  if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, words, environ) != 0 ||
      waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Failure(fmt::format("--open: xdg-open could not show the page; it is in {}", file));
}

void make_report(const ReportFlags& flags, const Context& context) {
  if (flags.runs.empty() && flags.results.empty())
    throw UsageError("nothing to report: name a run folder, or a table of dshn reproduce with --results");
  const report::Bundle bundle = report::find_bundle();
  Activity activity(context.err, "reading");
  RunDetails details;
  ordered_json document{{"title", flags.title}};
  document["runs"] = collect_runs(flags, details);
  document["tables"] = collect_tables(flags);
  document["hypergraphs"] = details.hypergraphs();
  io::write_file(flags.out, report::page(flags.title, document, bundle));
  activity.stop();
  for (const ordered_json& run : document["runs"]) {
    const ordered_json& found = run["details"];
    if (found.contains("missing"))
      context.warn(fmt::format("{}: no representation, spectrum and hypergraph: {}",
                               run["name"].get<std::string>(), found["missing"].get<std::string>()));
  }
  context.print(fmt::format("{}\n", flags.out.string()));
  if (flags.open) open_in_browser(flags.out);
}

}  // namespace

void add_report(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("report", "Make one HTML page of runs and tables, for a browser");
  const auto flags = std::make_shared<ReportFlags>();
  command->add_option("RUN", flags->runs, "Run folders of dshn train");
  command->add_option("--results", flags->results, "Tables that dshn reproduce wrote (JSON)");
  command->add_option("--out", flags->out, "The page; what stands there is replaced")->capture_default_str();
  command->add_option("--title", flags->title, "Heading of the page")->capture_default_str();
  command
      ->add_option("--details", flags->details,
                   "How many runs get a view of representations, spectrum and hypergraph")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  command->add_flag("--open", flags->open, "Show the page in the browser (xdg-open)");
  command->callback(
      [&context, flags] { context.action = [&context, flags] { make_report(*flags, context); }; });
}

}  // namespace dshn::cli
