#include "cli/learning/report_document.hpp"

#include <fmt/format.h>

#include "cli/advice.hpp"
#include "dshn/base/error.hpp"
#include "dshn/experiments/cell_figures.hpp"
#include "dshn/experiments/paper_results.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/report/results.hpp"
#include "dshn/report/run_folder.hpp"
#include "dshn/report/study.hpp"
#include "dshn/train/run_inputs.hpp"
#include "dshn/tune/study.hpp"

namespace dshn::cli {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

/// As the paper prints it, or as the run says where this program does not have the model.
std::string model_title(const std::string& name) {
  for (const models::ModelEntry& entry : models::all_models())
    if (entry.name == name) return entry.title;
  return name;
}

/// Every option with its value, so that runs can be compared option by option, and the paper's figure; what
/// the run folder says when its configuration cannot be read here.
void complete(ordered_json& run, const fs::path& folder) {
  run["title"] = model_title(run["model"]);
  run["paper"] = nullptr;
  try {
    train::Settings settings = train::read_run(folder);
    for (const Options& options : {settings.model_options(), settings.training()})
      for (const auto& [name, value] : options.values()) run["options"][name] = value;
    settings.data = train::read_config(folder / io::kConfigFile).data;
    run["paper"] = experiments::to_json(experiments::figure_beside(settings, run["splits"].size()));
  } catch (const Error&) {
    run["options_incomplete"] = true;
  }
}

/// The trials as the database has them, which are newer than the summary while a search goes on; the figure on
/// test data is in the summary alone.
ordered_json study_summary(const fs::path& folder) {
  if (!fs::is_regular_file(tune::database_file(folder))) return report::read_study(folder);
  ordered_json summary = tune::to_json(tune::Summary::read(folder), "");
  if (!report::has_summary(folder)) return summary;
  const ordered_json stored = report::read_study(folder);
  if (stored.contains("final") && stored.contains("best") && stored["best"] == summary["best"])
    summary["final"] = stored["final"];
  return summary;
}

ordered_json study_of(const fs::path& folder) {
  ordered_json study = report::shown_study(study_summary(folder), folder);
  study["title"] = model_title(study["model"]);
  return study;
}

/// Deviations of tables of version 0.1 are brought to what they are today.
ordered_json table_of(const fs::path& file) {
  ordered_json table = report::read_results(file);
  if (table.contains("cells"))
    for (ordered_json& cell : table["cells"]) cell = experiments::with_figures(std::move(cell));
  table = report::shown_results(table);
  for (ordered_json& cell : table["cells"]) cell["title"] = model_title(cell["model"]);
  return table;
}

/// Messages name a folder alike, whether it was given with a slash at its end or without.
fs::path without_slash(const fs::path& folder) {
  return folder.has_filename() || !folder.has_relative_path() ? folder : folder.parent_path();
}

/// A page does not name a machine's folders: of the path that a message begins with, the last part remains.
ordered_json problem_line(const fs::path& path, const std::string& message) {
  const std::string name = path.filename().string();
  const bool begins = message.starts_with(path.string());
  return begins ? name + message.substr(path.string().size()) : fmt::format("{}: {}", name, message);
}

}  // namespace

void ReportDocument::add(const fs::path& path, const std::function<void()>& read) {
  const auto leave_out = [&](const std::string& message, const std::string& warning) {
    if (!first_problem_) first_problem_ = std::current_exception();
    problems_.push_back(problem_line(path, message));
    warnings_.push_back("left out: " + warning);
  };
  try {
    read();
  } catch (const UsageError&) {
    throw;
  } catch (const Error& problem) {
    leave_out(problem.what(), advised(problem));
  } catch (const std::exception& problem) {
    leave_out(first_line(problem), fmt::format("{}: {}", path.string(), first_line(problem)));
  }
}

void ReportDocument::add_folder(const fs::path& folder) {
  const fs::path clean = without_slash(folder);
  add(clean, [&] {
    if (report::holds_study(clean))
      studies_.push_back(study_of(clean));
    else
      add_run(clean);
  });
}

void ReportDocument::add_table(const fs::path& file) {
  add(file, [&] { tables_.push_back(table_of(file)); });
}

/// What of a run the page cannot show, and why.
void ReportDocument::warn_of_missing(const ordered_json& run) {
  const ordered_json& found = run["details"];
  const auto warn = [&](const std::string& what, const ordered_json& why) {
    warnings_.push_back(
        fmt::format("{}: no {}: {}", run["name"].get<std::string>(), what, why.get<std::string>()));
  };
  if (found.contains("missing")) warn("representation, spectrum and hypergraph", found["missing"]);
  if (!found.contains("explanations")) return;
  for (const ordered_json& one : found["explanations"])
    if (one.contains("missing"))
      warn(fmt::format("explanation of {}", one["id"].get<std::string>()), one["missing"]);
}

void ReportDocument::add_run(const fs::path& folder) {
  ordered_json run = report::read_run(folder);
  complete(run, folder);
  if (runs_.size() < most_details_)
    run["details"] = details_.of(folder);
  else
    run["details"]["missing"] = fmt::format(
        "left out to keep the page small: only the first {} runs have this; --details changes the number",
        most_details_);
  warn_of_missing(run);
  runs_.push_back(std::move(run));
}

ordered_json ReportDocument::finish(const std::string& title) const {
  if (runs_.empty() && studies_.empty() && tables_.empty() && first_problem_)
    std::rethrow_exception(first_problem_);
  return {{"title", title},    {"runs", runs_},         {"studies", studies_},
          {"tables", tables_}, {"problems", problems_}, {"hypergraphs", details_.hypergraphs()}};
}

}  // namespace dshn::cli
