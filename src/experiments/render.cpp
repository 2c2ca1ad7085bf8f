#include "dshn/experiments/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

/// "88.65 ± 5.54", or what stands for it.
std::string figure_text(const ordered_json& figure) {
  if (figure.is_null()) return "–";
  if (figure.is_string()) return "OOM";
  const std::string mean = fmt::format("{:.2f}", figure["mean"].get<double>());
  return figure.contains("std") ? fmt::format("{} ± {:.2f}", mean, figure["std"].get<double>()) : mean;
}

std::string cell_text(const ordered_json& cell) {
  const std::string ours =
      cell.contains("failure") ? "failed" : figure_text(cell.value("test", ordered_json()));
  return cell.contains("paper") && !cell["paper"].is_null()
             ? fmt::format("{} ({})", ours, figure_text(cell["paper"]))
             : ours;
}

/// Distinct values of a key, in the order in which they come.
std::vector<std::string> distinct(const ordered_json& cells, const char* key) {
  std::vector<std::string> values;
  for (const ordered_json& cell : cells) {
    const std::string value = cell[key];
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

std::string line_of(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

std::string matrix(const ordered_json& document) {
  const ordered_json& cells = document["cells"];
  const std::vector<std::string> columns = distinct(cells, "column");
  std::vector<std::string> head{document.value("corner", "model")};
  std::vector<std::string> rule{"---"};
  for (const std::string& column : columns) {
    head.push_back(column);
    rule.emplace_back("---:");
  }
  std::string text = line_of(head) + line_of(rule);
  for (const std::string& row : distinct(cells, "row")) {
    std::vector<std::string> line(columns.size() + 1);
    line[0] = row;
    for (const ordered_json& cell : cells) {
      if (cell["row"] != row) continue;
      line[std::find(columns.begin(), columns.end(), cell["column"].get<std::string>()) - columns.begin() +
           1] = cell_text(cell);
    }
    text += line_of(line);
  }
  return text;
}

/// 1234567 as 1,234,567.
std::string grouped_digits(std::int64_t value) {
  std::string digits = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) digits.insert(at, ",");
  return digits;
}

std::string value_text(const ordered_json& value, int decimals) {
  if (value.is_null()) return "–";
  if (value.is_string()) return value;
  if (value.is_number_integer()) return grouped_digits(value);
  if (value.is_array()) {
    std::string text;
    for (const ordered_json& item : value) text += (text.empty() ? "" : ", ") + value_text(item, decimals);
    return text;
  }
  return fmt::format("{:.{}f}", value.get<double>(), decimals);
}

std::string listing(const ordered_json& document) {
  std::vector<std::string> head;
  std::vector<std::string> rule;
  for (const ordered_json& column : document["columns"]) {
    head.push_back(column["title"]);
    rule.emplace_back(column.value("text", false) ? "---" : "---:");
  }
  std::string text = line_of(head) + line_of(rule);
  for (const ordered_json& row : document["rows"]) {
    std::vector<std::string> line;
    for (const ordered_json& column : document["columns"])
      line.push_back(value_text(row.value(column["key"].get<std::string>(), ordered_json()),
                                column.value("decimals", 2)));
    text += line_of(line);
  }
  return text;
}

std::string bullets(const std::string& title, const ordered_json& lines) {
  if (lines.empty()) return "";
  std::string text = "\n" + title + "\n\n";
  for (const ordered_json& line : lines) text += "- " + line.get<std::string>() + "\n";
  return text;
}

/// Failed points by name, with the reason.
ordered_json failures(const ordered_json& document) {
  ordered_json lines = ordered_json::array();
  for (const ordered_json& cell : document.value("cells", ordered_json::array())) {
    if (cell.contains("failure"))
      lines.push_back(fmt::format("{}, {}: {}", cell["row"].get<std::string>(),
                                  cell["column"].get<std::string>(), cell["failure"].get<std::string>()));
  }
  return lines;
}

/// How many cells were made how and where, unless all were by the command and on the machine of the document.
ordered_json makings(const ordered_json& document) {
  std::vector<std::string> ways;
  std::map<std::string, int> cells;
  bool elsewhere = false;
  for (const ordered_json& cell : document.value("cells", ordered_json::array())) {
    if (!cell.contains("made")) continue;
    const ordered_json& made = cell["made"];
    for (const char* key : {"commit", "device"}) elsewhere |= made[key] != document["provenance"][key];
    const int trials = cell["request"]["trials"];
    const std::string chosen = trials == 1 ? "the preset or the defaults"
                                           : fmt::format("the best of {} configurations on {} splits", trials,
                                                         cell["request"]["search_splits"].get<int>());
    const std::string way =
        fmt::format("{}, trained on {} splits; commit {}, libtorch {}, device {}, {}", chosen,
                    cell["request"]["splits"].get<int>(), made["commit"].get<std::string>(),
                    made["libtorch"].get<std::string>(), made["device"].get<std::string>(),
                    made["date"].get<std::string>());
    if (cells[way]++ == 0) ways.push_back(way);
  }
  ordered_json lines = ordered_json::array();
  for (const std::string& way : ways) lines.push_back(fmt::format("{} cells: {}", cells[way], way));
  return elsewhere || lines.size() > 1 ? lines : ordered_json::array();
}

std::string origin(const ordered_json& document) {
  if (!document.contains("provenance")) return "";
  const ordered_json& p = document["provenance"];
  return fmt::format("\nMade by `{}` (dshn {}, commit {}, libtorch {}) on {}: {}, {} cores, device {}.\n",
                     p["command"].get<std::string>(), p["version"].get<std::string>(),
                     p["commit"].get<std::string>(), p["libtorch"].get<std::string>(),
                     p["date"].get<std::string>(), p["cpu"].get<std::string>(), p["cores"].get<int>(),
                     p["device"].get<std::string>());
}

std::string text_of_file(const fs::path& path) {
  std::ifstream file(path);
  if (!file) throw InvalidInput(fmt::format("{}: cannot be read", path.string()));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

std::string table_markdown(const ordered_json& document) {
  return document.contains("rows") ? listing(document) : matrix(document);
}

std::string page_markdown(const ordered_json& document) {
  std::string text = "**" + document.value("title", "") + "**";
  if (document.value("quick", false)) text += " – **quick:** " + document.value("quick_means", "");
  text += "\n\n" + table_markdown(document);
  text += bullets("Notes:", document.value("notes", ordered_json::array()));
  text += bullets("Failed:", failures(document));
  text += bullets("Missing data:", document.value("missing", ordered_json::array()));
  text += bullets("Left out:", document.value("left_out", ordered_json::array()));
  text += bullets("How the cells were made:", makings(document));
  return text + origin(document);
}

std::string page_of_file(const fs::path& file) {
  try {
    return page_markdown(ordered_json::parse(text_of_file(file)));
  } catch (const ordered_json::exception& problem) {
    throw InvalidInput(
        fmt::format("{}: not a document of dshn reproduce: {}", file.string(), problem.what()));
  }
}

std::vector<std::string> render_folder(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw UsageError(fmt::format("{}: there is no such folder", folder.string()));
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    io::write_file(folder / (name + ".md"), page_of_file(folder / (name + ".json")));
  }
  return names;
}

std::string with_results(const std::string& page, const fs::path& folder) {
  const std::string begin = "<!-- result ";
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::size_t mark = page.find(begin, at);
    if (mark == std::string::npos) return out + page.substr(at);
    const std::size_t after = page.find(" -->", mark);
    if (after == std::string::npos) throw InvalidInput("the page has a mark of a result that is not closed");
    const std::string name = page.substr(mark + begin.size(), after - mark - begin.size());
    const std::string end = fmt::format("<!-- end of result {} -->", name);
    const std::size_t stop = page.find(end, after);
    if (stop == std::string::npos) throw InvalidInput(fmt::format("the page has no '{}'", end));
    out += page.substr(at, after + 4 - at) + "\n" + page_of_file(folder / (name + ".json"));
    at = stop;
  }
}

}  // namespace dshn::experiments
