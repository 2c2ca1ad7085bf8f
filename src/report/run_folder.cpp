#include "dshn/report/run_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/run_files.hpp"
#include "report/json.hpp"
#include "report/numbers.hpp"

namespace dshn::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// Epochs drawn per split: more than a screen has points for are left out evenly.
constexpr std::size_t kCurvePoints = 400;

void check_folder(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw UsageError(fmt::format("{}: there is no such run folder", folder.string()));
  if (fs::is_regular_file(folder / io::kResultFile)) return;
  if (fs::is_regular_file(folder / io::kConfigFile)) {
    throw InvalidInput(fmt::format("{}: the run is not finished", folder.string()),
                       Topic{"unfinished-run", folder.string()});
  }
  throw UsageError(fmt::format("{}: holds no run; expected a folder that training made", folder.string()));
}

/// What a run predicts; version 0.1 knew classes.
std::string target_of(const ordered_json& result) {
  return result.value("target", "classes");
}

/// As many rows as columns, all of counts; a run without classes has none.
bool is_confusion(const ordered_json& rows) {
  return rows.is_array() && std::all_of(rows.begin(), rows.end(), [&](const ordered_json& row) {
           return row.is_array() && row.size() == rows.size() &&
                  std::all_of(row.begin(), row.end(), [](const ordered_json& n) { return n.is_number(); });
         });
}

ordered_json confusion_of(const ordered_json& split) {
  return split["test_figures"].value("confusion", ordered_json::array());
}

bool is_split(const ordered_json& split) {
  return split.is_object() && split.contains("split") && split["split"].is_number_integer() &&
         split.contains("test_figures") && split["test_figures"].is_object() &&
         is_confusion(confusion_of(split));
}

bool are_splits(const ordered_json& splits) {
  return splits.is_array() && !splits.empty() && std::all_of(splits.begin(), splits.end(), is_split) &&
         std::all_of(splits.begin(), splits.end(), [&](const ordered_json& split) {
           return confusion_of(split).size() == confusion_of(splits[0]).size();
         });
}

/// How many test items have each label, of how many it was predicted, and of how many both.
ordered_json label_counts(const ordered_json& split) {
  ordered_json counts = ordered_json::array();
  for (const ordered_json& label : split["test_figures"]["labels"])
    counts.push_back(pick(label, {"support", "predicted", "both"}));
  return counts;
}

bool are_numbers(const ordered_json& document, std::initializer_list<const char*> names) {
  return document.is_object() && std::all_of(names.begin(), names.end(), [&](const char* name) {
           return document.contains(name) && document[name].is_number();
         });
}

/// The test figures that the page relies on, beyond the confusion of classes.
bool has_figures(const ordered_json& split, const std::string& target) {
  const ordered_json& figures = split["test_figures"];
  if (target == "numbers") return are_numbers(figures, {"r2", "rmse", "mae"});
  if (target != "labels") return target == "classes";
  return figures.contains("labels") && figures["labels"].is_array() &&
         std::all_of(figures["labels"].begin(), figures["labels"].end(), [](const ordered_json& label) {
           return are_numbers(label, {"support", "predicted", "both"});
         });
}

/// A word for every class of the confusion.
bool are_class_names(const ordered_json& names, const ordered_json& splits) {
  return names.is_array() && names.size() >= confusion_of(splits[0]).size() &&
         std::all_of(names.begin(), names.end(), [](const ordered_json& name) { return name.is_string(); });
}

/// The page relies on what is checked here: whatever passes can be shown.
void check_result(const ordered_json& result, const fs::path& path) {
  const auto fail = [&](const char* what) {
    throw InvalidInput(
        fmt::format("{}: not the result of a run: {} is missing or of another kind", path.string(), what));
  };
  if (!result.is_object()) fail("an object");
  for (const char* name : {"model", "data", "metric", "protocol"})
    if (!result.contains(name) || !result[name].is_string()) fail(name);
  for (const char* name : {"test", "val"})
    if (!has_figure(result, name) || !result[name].contains("std")) fail(name);
  for (const char* name : {"parameters", "epoch_ms", "peak_mb"})
    if (!result.contains(name) || !result[name].is_number()) fail(name);
  if (!result.contains("splits") || !are_splits(result["splits"])) fail("splits");
  if (result.contains("target") && !result["target"].is_string()) fail("target");
  for (const ordered_json& split : result["splits"])
    if (!has_figures(split, target_of(result))) fail("test_figures");
  if (result.contains("class_names") && !are_class_names(result["class_names"], result["splits"]))
    fail("class_names");
  if (result.contains("set") && !result["set"].is_object()) fail("set");
}

/// Null for what is no number.
ordered_json short_figure(const ordered_json& record, const char* name) {
  const auto found = record.find(name);
  if (found == record.end() || !found->is_number()) return nullptr;
  return short_number(found->get<double>());
}

/// The records of one split, one column per figure.
ordered_json curve_columns(const std::vector<ordered_json>& records) {
  const std::size_t step = (records.size() + kCurvePoints - 1) / kCurvePoints;
  ordered_json columns{{"split", records.front()["split"]}, {"step", step}};
  for (const char* name : {"epoch", "loss", "train", "val", "val_loss"}) {
    ordered_json column = ordered_json::array();
    for (std::size_t i = 0; i < records.size(); i += std::max<std::size_t>(step, 1))
      column.push_back(short_figure(records[i], name));
    columns[name] = column;
  }
  return columns;
}

ordered_json read_curves(const fs::path& path) {
  ordered_json curves = ordered_json::array();
  if (!fs::is_regular_file(path)) return curves;
  std::istringstream lines(io::read_file(path));
  std::vector<ordered_json> records;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string where = fmt::format("{}:{}", path.string(), ++number);
    ordered_json record = parse_json(line, where, "training");
    if (!record.is_object() || !record.contains("split") || !record.contains("epoch"))
      throw InvalidInput(fmt::format("{}: not a record of an epoch", where));
    if (!records.empty() && records.front()["split"] != record["split"]) {
      curves.push_back(curve_columns(records));
      records.clear();
    }
    records.push_back(std::move(record));
  }
  if (!records.empty()) curves.push_back(curve_columns(records));
  return curves;
}

/// The page works precision and the like out of the confusion, or of the counts of labels.
ordered_json slim_splits(const ordered_json& splits, const std::string& target) {
  ordered_json slim = ordered_json::array();
  for (const ordered_json& split : splits) {
    slim.push_back(pick(split, {"split", "test", "val", "train", "best_epoch", "epochs"}));
    slim.back()["confusion"] = confusion_of(split);
    if (target == "labels") slim.back()["labels"] = label_counts(split);
    if (target == "numbers") slim.back().update(pick(split["test_figures"], {"r2", "rmse", "mae"}));
  }
  return slim;
}

}  // namespace

ordered_json read_run(const fs::path& folder) {
  check_folder(folder);
  const ordered_json result = read_json(folder / io::kResultFile, "training");
  check_result(result, folder / io::kResultFile);
  ordered_json run{{"name", folder_name(folder)}};
  run.update(pick(result, {"model", "data", "task", "metric", "protocol", "seed", "test", "val", "parameters",
                           "epoch_ms", "peak_mb", "device", "class_names"}));
  run["target"] = target_of(result);
  run["splits"] = slim_splits(result["splits"], run["target"]);
  if (run["target"] == "numbers") run["numbers"] = read_numbers(folder);
  run["curves"] = read_curves(folder / io::kMetricsFile);
  run["options"] = result.value("set", ordered_json::object());
  return run;
}

}  // namespace dshn::report
