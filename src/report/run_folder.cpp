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

/// What the page shows of result.json; whatever has this shape can be shown. A run without classes has no confusion.
io::Shape result_shape() {
  using io::Shape;
  const Shape counts = Shape::list(Shape::list(Shape::number()));
  const Shape label = Shape::object(
      {{"support", Shape::number()}, {"predicted", Shape::number()}, {"both", Shape::number()}});
  const Shape figures = Shape::object({optional("confusion", counts), optional("labels", Shape::list(label)),
                                       optional("r2", Shape::number()), optional("rmse", Shape::number()),
                                       optional("mae", Shape::number())});
  const Shape split = Shape::object({{"split", Shape::count()},
                                     {"test_figures", figures},
                                     optional("test", Shape::number().or_null()),
                                     optional("val", Shape::number().or_null()),
                                     optional("train", Shape::number().or_null()),
                                     optional("best_epoch", Shape::count()),
                                     optional("epochs", Shape::count())});
  const Shape figure = Shape::object({{"mean", Shape::number()}, {"std", Shape::number()}});
  return Shape::object({{"model", Shape::text()},
                        {"data", Shape::text()},
                        {"metric", Shape::text()},
                        {"protocol", Shape::text()},
                        {"test", figure},
                        {"val", figure},
                        {"parameters", Shape::number()},
                        {"epoch_ms", Shape::number()},
                        {"peak_mb", Shape::number()},
                        {"splits", Shape::list(split, 1)},
                        optional("task", Shape::text()),
                        optional("target", Shape::text()),
                        optional("seed", Shape::seed()),
                        optional("device", Shape::text()),
                        optional("class_names", Shape::list(Shape::text())),
                        optional("set", Shape::map(Shape::text()))});
}

ordered_json confusion_of(const ordered_json& split) {
  return split["test_figures"].value("confusion", ordered_json::array());
}

/// How many test items have each label, of how many it was predicted, and of how many both.
ordered_json label_counts(const ordered_json& split) {
  ordered_json counts = ordered_json::array();
  for (const ordered_json& label : split["test_figures"]["labels"])
    counts.push_back(pick(label, {"support", "predicted", "both"}));
  return counts;
}

/// The test figures that the page shows of this kind of target, beyond the confusion of classes.
bool has_figures(const ordered_json& split, const std::string& target) {
  const ordered_json& figures = split["test_figures"];
  if (target == "numbers")
    return figures.contains("r2") && figures.contains("rmse") && figures.contains("mae");
  return target == "classes" || (target == "labels" && figures.contains("labels"));
}

/// Confusions have as many rows as columns, in all splits alike, and there is a word for each where there are words.
void check_sizes(const ordered_json& result, const fs::path& path) {
  const auto fail = [&](const char* what) {
    throw InvalidInput(fmt::format("{}: not the result of a run: {}", path.string(), what));
  };
  const std::size_t classes = confusion_of(result["splits"][0]).size();
  for (const ordered_json& split : result["splits"]) {
    const ordered_json rows = confusion_of(split);
    const auto is_row = [&](const ordered_json& row) { return row.size() == classes; };
    if (rows.size() != classes || !std::all_of(rows.begin(), rows.end(), is_row))
      fail("a confusion of splits is of another size than the first");
  }
  if (result.contains("class_names") && result["class_names"].size() < classes)
    fail("class_names has fewer words than there are classes");
  for (const ordered_json& split : result["splits"])
    if (!has_figures(split, target_of(result))) fail("test_figures has not what its target asks for");
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
  static const io::Shape shape =
      io::Shape::object({{"split", io::Shape::count()}, {"epoch", io::Shape::count()}});
  ordered_json curves = ordered_json::array();
  if (!fs::is_regular_file(path)) return curves;
  std::istringstream lines(io::read_file(path));
  std::vector<ordered_json> records;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string where = fmt::format("{}:{}", path.string(), ++number);
    ordered_json record = io::parse_json(line, where, "training");
    if (const std::string fault = shape.fault(record); !fault.empty())
      throw InvalidInput(fmt::format("{}: not a record of an epoch: {}", where, fault));
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
  static const io::Shape shape = result_shape();
  check_shape(result, shape, folder / io::kResultFile, "the result of a run");
  check_sizes(result, folder / io::kResultFile);
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
