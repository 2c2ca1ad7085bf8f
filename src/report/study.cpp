#include "dshn/report/study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "report/json.hpp"

namespace dshn::report {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kSummaryFile = "study.json";
constexpr const char* kDatabaseFile = "study.sqlite";

bool is_figure_or_null(const ordered_json& document, const char* name) {
  return !document.contains(name) || document[name].is_null() || has_figure(document, name);
}

bool is_trial(const ordered_json& trial) {
  return trial.is_object() && trial.contains("number") && trial["number"].is_number_integer() &&
         trial.contains("state") && trial["state"].is_string() && trial.contains("set") &&
         trial["set"].is_object() && is_figure_or_null(trial, "validation");
}

bool are_trials(const ordered_json& document) {
  return document.is_object() && document.contains("trials") && document["trials"].is_array() &&
         std::all_of(document["trials"].begin(), document["trials"].end(), is_trial);
}

/// When an option is idle, as a list. Until 0.2 there was one condition at most, and the empty word for none.
ordered_json idle_conditions(const ordered_json& parameter) {
  ordered_json when = parameter.value("idle_when", ordered_json::array());
  if (!when.is_string()) return when;
  return when.get_ref<const std::string&>().empty() ? ordered_json::array() : ordered_json::array({when});
}

bool are_words(const ordered_json& list) {
  return list.is_array() &&
         std::all_of(list.begin(), list.end(), [](const ordered_json& word) { return word.is_string(); });
}

bool is_parameter(const ordered_json& parameter) {
  return parameter.is_object() && parameter.contains("name") && parameter["name"].is_string() &&
         parameter.contains("values") && parameter["values"].is_array() &&
         are_words(idle_conditions(parameter));
}

bool is_request(const ordered_json& request) {
  return request.is_object() && request.contains("data") && request["data"].is_string() &&
         request.contains("model") && request["model"].is_string() && request.contains("space") &&
         request["space"].is_array() &&
         std::all_of(request["space"].begin(), request["space"].end(), is_parameter);
}

/// What is wrong with a summary; empty when it can be shown.
std::string objection(const ordered_json& summary) {
  if (!are_trials(summary)) return "trials";
  if (!summary.contains("request") || !is_request(summary["request"])) return "request";
  if (summary.contains("importance") && !summary["importance"].is_array()) return "importance";
  if (summary.contains("confirmation") && !are_trials(summary["confirmation"])) return "confirmation";
  if (summary.contains("final") && !has_figure(summary["final"], "test")) return "final";
  return "";
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
  if (const std::string what = objection(summary); !what.empty())
    throw InvalidInput(fmt::format("{}: not the summary of a study: {} is missing or of another kind",
                                   (folder / kSummaryFile).string(), what));
  const ordered_json& request = summary["request"];
  ordered_json study{{"name", folder_name(folder)}};
  study.update(pick(request, {"model", "splits", "seed", "sampler", "objective", "metric"}));
  study["space"] = shown_space(request["space"]);
  study["data"] = data_name(request["data"]);
  study["options"] = request.value("set", ordered_json::object());
  study.update(pick(summary, {"trials_asked", "importance", "final"}));
  study["best"] =
      summary.contains("best") && is_trial(summary["best"]) ? summary["best"]["number"] : ordered_json();
  study["trials"] = shown_trials(summary["trials"]);
  if (summary.contains("confirmation")) {
    study["confirmation"] = pick(summary["confirmation"], {"seed", "trials_asked", "winner"});
    study["confirmation"]["trials"] = shown_trials(summary["confirmation"]["trials"]);
  }
  return study;
}

}  // namespace dshn::report
