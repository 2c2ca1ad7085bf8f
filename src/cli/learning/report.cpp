#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/learning/report_document.hpp"
#include "cli/learning_module.hpp"
#include "cli/progress.hpp"
#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/report/page.hpp"

namespace dshn::cli {
namespace {

struct ReportFlags {
  std::vector<std::filesystem::path> folders;
  std::vector<std::filesystem::path> results;
  std::filesystem::path out = "report.html";
  std::string title = "dshn report";
  std::vector<std::string> explain;
  std::size_t details = 8;
  bool open = false;
};

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
  if (flags.folders.empty() && flags.results.empty())
    throw UsageError(
        "nothing to report: name a folder of dshn train or dshn tune, or a table of dshn reproduce with "
        "--results");
  const report::Bundle bundle = report::find_bundle();
  Activity activity(context.err, "reading");
  ReportDocument document(flags.details, flags.explain);
  for (const std::filesystem::path& folder : flags.folders) document.add_folder(folder);
  for (const std::filesystem::path& file : flags.results) document.add_table(file);
  io::write_file(flags.out, report::page(flags.title, document.finish(flags.title), bundle));
  activity.stop();
  for (const std::string& warning : document.warnings()) context.warn(warning);
  context.print(fmt::format("{}\n", flags.out.string()));
  if (flags.open) open_in_browser(flags.out);
}

}  // namespace

void add_report(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("report", summary_of("report"));
  const auto flags = std::make_shared<ReportFlags>();
  command->add_option("RUN", flags->folders, "Folders of dshn train and of dshn tune");
  command->add_option("--results", flags->results, "Tables that dshn reproduce wrote (JSON)");
  command->add_option("--out", flags->out, "The page; what stands there is replaced")->capture_default_str();
  command->add_option("--title", flags->title, "Heading of the page")->capture_default_str();
  command
      ->add_option("--details", flags->details,
                   "How many runs get a view of representations, spectrum and hypergraph")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  command->add_option("--explain", flags->explain,
                      "Nodes or hyperedges, by name, whose predictions are explained for each of these runs");
  command->add_flag("--open", flags->open, "Show the page in the browser (xdg-open)");
  command->callback(
      [&context, flags] { context.action = [&context, flags] { make_report(*flags, context); }; });
}

}  // namespace dshn::cli
