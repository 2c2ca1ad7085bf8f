#include "report/numbers.hpp"

#include <algorithm>
#include <numeric>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/io/table.hpp"
#include "report/json.hpp"

namespace dshn::report {
namespace {

using nlohmann::ordered_json;

/// Points of a chart; more would only cover each other.
constexpr std::int32_t kMostNumbers = 5000;
/// The columns before the numbers: id and part.
constexpr std::size_t kFirstNumber = 2;

struct Point {
  std::string id, part;
  std::vector<double> truth, predicted;
};

/// What the columns of numbers are called: "true" and "predicted", or true_NAME and predicted_NAME of several.
std::vector<std::string> number_names(const io::TableRow* row) {
  std::vector<std::string> names;
  if (row == nullptr || row->fields.size() < kFirstNumber + 2 || row->fields.size() % 2 != 0) return names;
  const std::size_t count = (row->fields.size() - kFirstNumber) / 2;
  for (std::size_t c = 0; c < count; ++c) {
    const std::string truth(row->fields[kFirstNumber + c].text);
    const std::string predicted(row->fields[kFirstNumber + count + c].text);
    if (!truth.starts_with("true") || predicted != "predicted" + truth.substr(4)) return {};
    names.push_back(count == 1 ? "" : truth.substr(5));
  }
  return names;
}

/// False where a field is no number; an item whose numbers are not known has none.
bool read_point(const io::TableRow& row, std::size_t count, Point& point) {
  point = {std::string(row.fields[0].text), std::string(row.fields[1].text), {}, {}};
  for (std::size_t c = 0; c < 2 * count; ++c) {
    const std::string_view text = row.fields[kFirstNumber + c].text;
    if (c < count && text.empty()) continue;
    double value = 0;
    if (!io::parse_number(text, value)) return false;
    (c < count ? point.truth : point.predicted).push_back(value);
  }
  return point.truth.empty() || point.truth.size() == count;
}

std::vector<Point> known_points(io::Table& table, std::size_t count, std::size_t columns) {
  std::vector<Point> points;
  Point point;
  while (const io::TableRow* const row = table.next()) {
    if (row->fields.size() != columns || !read_point(*row, count, point))
      table.fail(row->line, "expected an id, a part, true and predicted numbers");
    if (!point.truth.empty()) points.push_back(point);
  }
  return points;
}

}  // namespace

ordered_json read_numbers(const std::filesystem::path& folder) {
  io::Table table(folder / io::kPredictionsFile, {}, {.delimiter = ',', .comments = false});
  const io::TableRow* const header = table.next();
  const std::vector<std::string> names = number_names(header);
  if (names.empty()) table.fail(1, "expected the columns id,part,true,predicted");
  const std::vector<Point> points = known_points(table, names.size(), header->fields.size());
  std::vector<std::int32_t> shown(points.size());
  std::iota(shown.begin(), shown.end(), 0);
  if (shown.size() > kMostNumbers)
    shown = Random(0).sample(static_cast<std::int32_t>(shown.size()), kMostNumbers);
  ordered_json ids = ordered_json::array();
  ordered_json parts = ordered_json::array();
  for (const std::int32_t i : shown) {
    ids.push_back(points[i].id);
    parts.push_back(points[i].part);
  }
  ordered_json columns = ordered_json::array();
  for (std::size_t c = 0; c < names.size(); ++c) {
    ordered_json truth = ordered_json::array();
    ordered_json predicted = ordered_json::array();
    for (const std::int32_t i : shown) {
      truth.push_back(short_number(points[i].truth[c]));
      predicted.push_back(short_number(points[i].predicted[c]));
    }
    columns.push_back({{"true", truth}, {"predicted", predicted}});
  }
  return {{"of", points.size()}, {"id", ids}, {"part", parts}, {"columns", columns}};
}

}  // namespace dshn::report
