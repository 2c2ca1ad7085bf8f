#include "dshn/experiments/render.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "dshn/base/error.hpp"
#include "dshn/base/utf8.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/tune/study.hpp"
#include "experiments/documents.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

/// Characters of the longest line of a page.
constexpr std::size_t kPageWidth = 120;

/// "88.65", or what stands for it.
std::string mean_text(const ordered_json& figure) {
  if (figure.is_null()) return "–";
  return figure.is_string() ? "OOM" : fmt::format("{:.2f}", figure["mean"].get<double>());
}

/// "88.65 ± 5.54", or what stands for it.
std::string figure_text(const ordered_json& figure) {
  const bool deviates = figure.is_object() && figure.contains("std");
  return deviates ? fmt::format("{} ± {:.2f}", mean_text(figure), figure["std"].get<double>())
                  : mean_text(figure);
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

/// Rows of equal length; the first is the head.
using Grid = std::vector<std::vector<std::string>>;

std::string line_of(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

/// Columns in `left` are text, the others figures.
std::string table_of(const Grid& grid, const std::set<std::size_t>& left) {
  std::vector<std::string> rule;
  for (std::size_t i = 0; i < grid[0].size(); ++i) rule.emplace_back(left.contains(i) ? "---" : "---:");
  std::string text = line_of(grid[0]) + line_of(rule);
  for (std::size_t i = 1; i < grid.size(); ++i) text += line_of(grid[i]);
  return text;
}

/// Whether no line is too long for a page.
bool fits(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (count_code_points(line) > kPageWidth) return false;
  return true;
}

Grid turned(const Grid& grid) {
  Grid out(grid[0].size(), std::vector<std::string>(grid.size()));
  for (std::size_t i = 0; i < grid.size(); ++i)
    for (std::size_t j = 0; j < grid[i].size(); ++j) out[j][i] = grid[i][j];
  return out;
}

/// One table, or several where one would be too wide: the columns are halved.
std::string cut_to_width(const Grid& grid) {
  std::string text = table_of(grid, {0});
  if (fits(text) || grid[0].size() <= 2) return text;
  Grid first = grid;
  Grid second = grid;
  const auto half = static_cast<std::ptrdiff_t>(grid[0].size() / 2);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    first[i].erase(first[i].begin() + half + 1, first[i].end());
    second[i].erase(second[i].begin() + 1, second[i].begin() + half + 1);
  }
  return cut_to_width(first) + "\n" + cut_to_width(second);
}

/// A row per "row" and a column per "column" of the cells, or the other way round where only that fits.
std::string matrix(const ordered_json& cells) {
  Grid grid{{"model"}};
  for (const std::string& column : distinct(cells, "column")) grid[0].push_back(column);
  for (const std::string& row : distinct(cells, "row")) {
    std::vector<std::string> line(grid[0].size());
    line[0] = row;
    for (const ordered_json& cell : cells) {
      if (cell["row"] != row) continue;
      const auto column = cell["column"].get<std::string>();
      line[std::find(grid[0].begin() + 1, grid[0].end(), column) - grid[0].begin()] = cell_text(cell);
    }
    grid.push_back(line);
  }
  Grid other = turned(grid);
  other[0][0].clear();
  const bool turn = !fits(table_of(grid, {0})) && fits(table_of(other, {0}));
  return cut_to_width(turn ? other : grid);
}

/// "[79.00, 88.70]" of a figure or difference; "–" where none is known.
std::string interval_text(const ordered_json& figure) {
  if (!figure.is_object() || !figure.contains("interval")) return "–";
  return fmt::format("[{:.2f}, {:.2f}]", figure["interval"][0].get<double>(),
                     figure["interval"][1].get<double>());
}

std::string difference_text(const ordered_json& difference) {
  if (difference.is_null()) return "–";
  const std::string mean = fmt::format("{:+.2f}", difference["mean"].get<double>());
  return difference.contains("interval") ? mean + " " + interval_text(difference) : mean;
}

/// What ± means, where there is one.
std::string deviations(const ordered_json& cells) {
  const auto has_one = [](const ordered_json& cell) {
    return cell.contains("test") && cell["test"].contains("std");
  };
  if (std::none_of(cells.begin(), cells.end(), has_one)) return "";
  return "\n± is the standard deviation over splits, with n - 1 below the line.\n";
}

constexpr const char* kIntervalWords = R"(
The intervals know that splits overlap (corrected resampled t of Nadeau and Bengio): the variance of a
mean is taken as (1/n + test items/training items) times the squared deviation. The paper's mean counts as
one over ten such splits with the deviation that it prints. The sign compares the two means and nothing else;
the last column says whether zero lies outside of the interval of their difference.
)";

/// How many cells stand how to the paper, both ways of reading it; nothing where there is no difference.
std::string standing(const ordered_json& cells) {
  std::map<std::string, int> count;
  for (const ordered_json& cell : cells) {
    const ordered_json difference = cell.value("difference", ordered_json());
    if (!difference.contains("word")) continue;
    ++count["all"];
    ++count[difference.value("sign", "")];
    ++count[difference["word"]];
  }
  if (count.empty()) return "";
  return fmt::format(
      "\nOf {} cells beside the paper's the mean is above in {} and below in {}; by the intervals {} are "
      "above,\n"
      "{} not distinguishable and {} below.\n",
      count["all"], count["mean above"], count["mean below"], count["above"], count["not distinguishable"],
      count["below"]);
}

/// Every mean with its interval and how it stands to the paper's; nothing where no interval is known.
std::string intervals(const ordered_json& cells) {
  Grid grid{{"model", "at", "n", "mean", "95 % interval", "paper", "difference", "sign", "our mean is"}};
  for (const ordered_json& cell : cells) {
    if (!cell.contains("test") || !cell["test"].contains("interval")) continue;
    const ordered_json difference = cell.value("difference", ordered_json());
    grid.push_back({cell["row"], cell["column"], std::to_string(cell["test"].value("n", 0)),
                    mean_text(cell["test"]), interval_text(cell["test"]),
                    mean_text(cell.value("paper", ordered_json())), difference_text(difference),
                    difference.is_null() ? "–" : difference.value("sign", "–"),
                    difference.is_null() ? "–" : difference.value("word", "–")});
  }
  if (grid.size() == 1) return "";
  return "\nEach mean over n trainings, and its difference to the paper's, with 95 % intervals:\n\n" +
         table_of(grid, {0, 1, 7, 8}) + kIntervalWords + standing(cells);
}

std::string probability_text(double p) {
  return p < 0.0001 ? "< 0.0001" : fmt::format("{:.4f}", p);
}

/// Models against each other on the same splits.
std::string comparisons(const ordered_json& document) {
  if (!document.contains("comparisons")) return "";
  const ordered_json& rows = document["comparisons"]["rows"];
  if (rows.empty()) return "";
  Grid grid{{"models", "at", "n", "difference", "95 % interval", "p", "p (Holm)", "the first is"}};
  for (const ordered_json& row : rows)
    grid.push_back({row["title"], row["column"], std::to_string(row["n"].get<int>()),
                    fmt::format("{:+.2f}", row["mean"].get<double>()), interval_text(row),
                    probability_text(row["p"]), probability_text(row["p_holm"]), row["word"]});
  return "\nPaired comparisons on the same splits and seeds:\n\n" + table_of(grid, {0, 1, 7}) +
         fmt::format(
             "\nIntervals and p are of the paired t test with the correction of Nadeau and Bengio for "
             "splits that overlap.\nHolm's correction is for all {} rows; the word goes by it, at "
             "0.05.\n",
             rows.size());
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
  Grid grid(1);
  std::set<std::size_t> left;
  for (const ordered_json& column : document["columns"]) {
    if (column.value("text", false)) left.insert(grid[0].size());
    grid[0].push_back(column["title"]);
  }
  for (const ordered_json& row : document["rows"]) {
    grid.emplace_back();
    for (const ordered_json& column : document["columns"])
      grid.back().push_back(value_text(row.value(column["key"].get<std::string>(), ordered_json()),
                                       column.value("decimals", 2)));
  }
  return table_of(grid, left);
}

/// One item of a list, over as many lines as it needs.
std::string bullet(const std::string& text) {
  std::string out;
  std::string line = "-";
  std::istringstream words(text);
  for (std::string word; words >> word; line += " " + word) {
    if (fits(fmt::format("{} {}", line, word))) continue;
    out += line + "\n";
    line = " ";
  }
  return out + line + "\n";
}

std::string bullets(const std::string& title, const ordered_json& lines) {
  if (lines.empty()) return "";
  std::string text = "\n" + title + "\n\n";
  for (const ordered_json& line : lines) text += bullet(line);
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
std::string recipes(const ordered_json& document) {
  std::vector<std::vector<std::string>> ways;
  std::map<std::vector<std::string>, int> cells;
  bool elsewhere = false;
  const ordered_json origin = document.value("provenance", ordered_json::object());
  for (const ordered_json& cell : document.value("cells", ordered_json::array())) {
    if (!cell.contains("made") || !cell.contains("request")) continue;
    const ordered_json& made = cell["made"];
    const ordered_json& request = cell["request"];
    for (const char* key : {"commit", "device"}) elsewhere |= made[key] != origin.value(key, ordered_json());
    const int trials = request["trials"];
    std::string chosen = "preset or defaults";
    if (trials > 1)
      chosen = fmt::format("best of {} on {} splits", trials, request["search_splits"].get<int>());
    if (trials > 1 && request.contains("search"))
      chosen += fmt::format(" of seeds {}", request["search"]["seeds"].get<std::string>());
    std::vector<std::string> way{
        chosen, tune::seed_range(request.value("seed", std::uint64_t{0}), request.value("seeds", 1)),
        std::to_string(request["splits"].get<int>())};
    for (const char* key : {"commit", "libtorch", "device", "date"}) way.push_back(made[key]);
    if (cells[way]++ == 0) ways.push_back(way);
  }
  if (!elsewhere && ways.size() <= 1) return "";
  Grid grid{{"cells", "options", "seeds", "splits", "commit", "libtorch", "device", "date"}};
  for (const std::vector<std::string>& way : ways) {
    grid.push_back({std::to_string(cells[way])});
    grid.back().insert(grid.back().end(), way.begin(), way.end());
  }
  return "\nHow the cells were made:\n\n" + table_of(grid, {1, 2, 4, 5, 6, 7});
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  const std::int64_t minutes = (whole + 30) / 60;
  return minutes < 60 ? fmt::format("{} min", minutes)
                      : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string runtime_line(const ordered_json& document) {
  if (!document.contains("runtime")) return "";
  const ordered_json& runtime = document["runtime"];
  return bullet(fmt::format("{} cells took {}, {} where those that were made side by side share the time",
                            runtime["cells"].get<int>(), duration_text(runtime["seconds"]),
                            duration_text(runtime["shared_seconds"])));
}

std::string origin(const ordered_json& document) {
  if (!document.contains("provenance")) return "";
  const ordered_json& p = document["provenance"];
  const auto word = [&](const char* key) { return p[key].get<std::string>(); };
  return "\nMade by:\n\n" + bullet(fmt::format("`{}`", word("command"))) +
         bullet(fmt::format("dshn {}, commit {}, libtorch {}, {}", word("version"), word("commit"),
                            word("libtorch"), word("date"))) +
         bullet(fmt::format("{}, {} cores, device {}", word("cpu"), p["cores"].get<int>(), word("device"))) +
         runtime_line(document);
}

}  // namespace

std::string table_markdown(const ordered_json& document) {
  return is_listing(document) ? listing(document) : matrix(document["cells"]);
}

std::string page_markdown(const ordered_json& document) {
  std::string text = "## " + document.value("title", "") + "\n\n";
  if (document.value("quick", false)) {
    const ordered_json means = document.value("quick_means", ordered_json());
    text += "**quick:** " + (means.is_string() ? means.get<std::string>() : "") + "\n\n";
  }
  text += table_markdown(document);
  if (!is_listing(document)) text += deviations(document["cells"]) + intervals(document["cells"]);
  text += comparisons(document);
  text += bullets("Notes:", document.value("notes", ordered_json::array()));
  text += bullets("Failed:", failures(document));
  text += bullets("Missing data:", document.value("missing", ordered_json::array()));
  text += bullets("Left out:", document.value("left_out", ordered_json::array()));
  return text + recipes(document) + origin(document);
}

std::string page_of_file(const fs::path& file) {
  return page_markdown(read_table(file));
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
