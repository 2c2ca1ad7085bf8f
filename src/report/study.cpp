#include "dshn/report/study.hpp"

#include "dshn/io/table_files.hpp"
#include "report/json.hpp"

namespace dshn::report {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kSummaryFile = "study.json";
constexpr const char* kDatabaseFile = "study.sqlite";

/// When an option is idle, as a list. Until 0.2 there was one condition at most, and the empty word for none.
ordered_json idle_conditions(const ordered_json& parameter) {
  ordered_json when = parameter.value("idle_when", ordered_json::array());
  if (!when.is_string()) return when;
  return when.get_ref<const std::string&>().empty() ? ordered_json::array() : ordered_json::array({when});
}

io::Shape trials_shape() {
  using io::Shape;
  return Shape::list(Shape::object({{"number", Shape::count()},
                                    {"state", Shape::text()},
                                    {"set", Shape::map(Shape::text())},
                                    optional("splits", Shape::count()),
                                    optional("validation", io::figure_shape().or_null()),
                                    optional("message", Shape::text())}));
}

io::Shape request_shape() {
  using io::Shape;
  const Shape parameter =
      Shape::object({{"name", Shape::text()},
                     {"values", Shape::list(Shape::text())},
                     optional("idle_when", Shape::either(Shape::list(Shape::text()), Shape::text()))});
  return Shape::object({{"data", Shape::text()},
                        {"model", Shape::text()},
                        {"space", Shape::list(parameter)},
                        optional("splits", Shape::count()),
                        optional("seed", Shape::seed()),
                        optional("sampler", Shape::text()),
                        optional("objective", Shape::text()),
                        optional("set", Shape::map(Shape::text()))});
}

io::Shape summary_shape() {
  using io::Shape;
  const Shape importance = Shape::object({{"name", Shape::text()}, {"share", Shape::number().or_null()}});
  const Shape confirmation = Shape::object({{"trials", trials_shape()},
                                            optional("seed", Shape::seed()),
                                            optional("trials_asked", Shape::count()),
                                            optional("winner", Shape::count().or_null())});
  return Shape::object(
      {{"request", request_shape()},
       {"trials", trials_shape()},
       optional("trials_asked", Shape::count()),
       optional("best", Shape::object({optional("number", Shape::count())}).or_null()),
       optional("importance", Shape::list(importance)),
       optional("confirmation", confirmation),
       optional("final", Shape::object({{"test", io::figure_shape()}, optional("splits", Shape::count())}))});
}

ordered_json shown_space(const ordered_json& space) {
  ordered_json shown = ordered_json::array();
  for (const ordered_json& parameter : space) {
    shown.push_back(pick(parameter, {"name", "values"}));
    shown.back()["idle_when"] = idle_conditions(parameter);
  }
  return shown;
}

ordered_json shown_trials(const ordered_json& trials) {
  ordered_json shown = ordered_json::array();
  for (const ordered_json& trial : trials)
    shown.push_back(pick(trial, {"number", "state", "splits", "validation", "set", "message"}));
  return shown;
}

/// A data set that was named by its path is known by the last part of it, less the extensions.
std::string data_name(const std::string& data) {
  if (data.find('/') == std::string::npos) return data;
  const std::string name = folder_name(data);
  return name.substr(0, name.find('.', 1));
}

}  // namespace

bool has_summary(const fs::path& folder) {
  return fs::is_regular_file(folder / kSummaryFile);
}

bool holds_study(const fs::path& folder) {
  return has_summary(folder) || fs::is_regular_file(folder / kDatabaseFile);
}

ordered_json read_study(const fs::path& folder) {
  return read_json(folder / kSummaryFile, "a search");
}

ordered_json shown_study(const ordered_json& summary, const fs::path& folder) {
  static const io::Shape shape = summary_shape();
  check_shape(summary, shape, folder / kSummaryFile, "the summary of a study");
  const ordered_json& request = summary["request"];
  ordered_json study{{"name", folder_name(folder)}};
  study.update(pick(request, {"model", "splits", "seed", "sampler", "objective", "metric"}));
  study["space"] = shown_space(request["space"]);
  study["data"] = data_name(request["data"]);
  study["options"] = request.value("set", ordered_json::object());
  study.update(pick(summary, {"trials_asked", "importance", "final"}));
  const ordered_json best = summary.value("best", ordered_json());
  study["best"] = best.is_object() ? best.value("number", ordered_json()) : ordered_json();
  study["trials"] = shown_trials(summary["trials"]);
  if (summary.contains("confirmation")) {
    study["confirmation"] = pick(summary["confirmation"], {"seed", "trials_asked", "winner"});
    study["confirmation"]["trials"] = shown_trials(summary["confirmation"]["trials"]);
  }
  return study;
}

}  // namespace dshn::report
