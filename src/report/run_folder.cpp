#include "dshn/report/run_folder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/run_files.hpp"

namespace dshn::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// Epochs drawn per split: more than a screen has points for are left out evenly.
constexpr std::size_t kCurvePoints = 400;

ordered_json parse_json(const std::string& text, const std::string& where) {
  try {
    return ordered_json::parse(text);
  } catch (const ordered_json::parse_error& problem) {
    throw InvalidInput(
        fmt::format("{}: byte {}: not JSON, which training writes there; train again into another folder",
                    where, problem.byte));
  }
}

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

bool is_figure(const ordered_json& document, const char* name) {
  return document.contains(name) && document[name].is_object() && document[name].contains("mean") &&
         document[name]["mean"].is_number() && document[name].contains("std") &&
         document[name]["std"].is_number();
}

void check_result(const ordered_json& result, const fs::path& path) {
  const auto fail = [&](const char* what) {
    throw InvalidInput(
        fmt::format("{}: not the result of a run: {} is missing or of another kind", path.string(), what));
  };
  if (!result.is_object()) fail("an object");
  for (const char* name : {"model", "data", "metric", "protocol"})
    if (!result.contains(name) || !result[name].is_string()) fail(name);
  for (const char* name : {"test", "val"})
    if (!is_figure(result, name)) fail(name);
  for (const char* name : {"parameters", "epoch_ms", "peak_mb"})
    if (!result.contains(name) || !result[name].is_number()) fail(name);
  if (!result.contains("splits") || !result["splits"].is_array() || result["splits"].empty()) fail("splits");
  for (const ordered_json& split : result["splits"]) {
    if (!split.is_object() || !split.contains("split") || !split.contains("test_figures") ||
        !split["test_figures"].is_object())
      fail("splits");
  }
}

/// Five digits; null for what is no number.
ordered_json short_figure(const ordered_json& record, const char* name) {
  const auto found = record.find(name);
  if (found == record.end() || !found->is_number()) return nullptr;
  const auto value = found->get<double>();
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10.0, 4 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
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
    ordered_json record = parse_json(line, where);
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

/// The page works precision and the like out of the confusion.
ordered_json slim_splits(const ordered_json& splits) {
  ordered_json slim = ordered_json::array();
  for (ordered_json split : splits) {
    split["confusion"] = split["test_figures"].value("confusion", ordered_json::array());
    split.erase("test_figures");
    slim.push_back(split);
  }
  return slim;
}

}  // namespace

ordered_json read_run(const fs::path& folder) {
  check_folder(folder);
  ordered_json result =
      parse_json(io::read_file(folder / io::kResultFile), (folder / io::kResultFile).string());
  check_result(result, folder / io::kResultFile);
  fs::path name = folder;
  if (!name.has_filename()) name = name.parent_path();  // a slash at the end
  result["name"] = fs::absolute(name).lexically_normal().filename().string();
  result["splits"] = slim_splits(result["splits"]);
  result["curves"] = read_curves(folder / io::kMetricsFile);
  result["options"] = result.value("set", ordered_json::object());
  for (const char* name_of_machine : {"run", "set"}) result.erase(name_of_machine);
  return result;
}

ordered_json read_results(const fs::path& file) {
  if (!fs::is_regular_file(file)) throw UsageError(fmt::format("{}: there is no such file", file.string()));
  ordered_json table = parse_json(io::read_file(file), file.string());
  if (!table.is_object() || !table.contains("cells") || !table["cells"].is_array())
    throw InvalidInput(fmt::format("{}: not the table of an experiment: there are no cells", file.string()));
  ordered_json cells = ordered_json::array();
  for (const ordered_json& cell : table["cells"]) {
    if (!cell.is_object() || !cell.contains("data") || !cell.contains("model"))
      throw InvalidInput(fmt::format("{}: a cell without data or model", file.string()));
    cells.push_back({{"data", cell["data"]},
                     {"model", cell["model"]},
                     {"test", is_figure(cell, "test") ? cell["test"] : ordered_json(nullptr)},
                     {"paper", cell.value("paper", ordered_json())}});
  }
  return {{"table", table.value("table", file.stem().string())}, {"cells", cells}};
}

}  // namespace dshn::report
