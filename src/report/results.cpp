#include "dshn/report/results.hpp"

#include <fmt/format.h>

#include "dshn/base/error.hpp"
#include "dshn/io/table_files.hpp"
#include "report/json.hpp"

namespace dshn::report {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

bool is_list(const ordered_json& document, const char* name) {
  return document.contains(name) && document[name].is_array();
}

bool has_text(const ordered_json& document, const char* name) {
  return document.contains(name) && document[name].is_string();
}

/// Null where the figure is missing or of another kind.
ordered_json figure_of(const ordered_json& cell, const char* name) {
  return has_figure(cell, name) ? pick(cell[name], {"mean", "std", "n", "interval", "word"}) : ordered_json();
}

ordered_json shown_cell(const ordered_json& cell) {
  ordered_json shown = pick(cell, {"data", "model", "row", "column"});
  shown["test"] = figure_of(cell, "test");
  shown["difference"] = figure_of(cell, "difference");
  const bool in_words = has_text(cell, "paper");  // out of memory
  shown["paper"] = in_words ? cell["paper"] : figure_of(cell, "paper");
  return shown;
}

/// Rows that say how two rows of the table differ on the same splits.
ordered_json shown_comparisons(const ordered_json& table) {
  ordered_json rows = ordered_json::array();
  if (!table.contains("comparisons") || !table["comparisons"].is_object() ||
      !is_list(table["comparisons"], "rows"))
    return rows;
  for (const ordered_json& row : table["comparisons"]["rows"]) {
    if (row.is_object() && has_text(row, "data") && has_text(row, "title") && row.contains("mean") &&
        row["mean"].is_number())
      rows.push_back(pick(row, {"data", "column", "title", "mean", "interval", "p", "p_holm", "word", "n"}));
  }
  return rows;
}

/// A table of other figures than accuracies: in each row a value for every column.
ordered_json shown_listing(const ordered_json& table) {
  ordered_json columns = ordered_json::array();
  ordered_json rows = ordered_json::array();
  for (const ordered_json& column : table["columns"]) columns.push_back(pick(column, {"title", "decimals"}));
  for (const ordered_json& row : table["rows"]) {
    rows.push_back(ordered_json::array());
    for (const ordered_json& column : table["columns"])
      rows.back().push_back(row.value(column["key"].get<std::string>(), ordered_json()));
  }
  return {{"columns", columns}, {"rows", rows}};
}

bool is_listing(const ordered_json& table) {
  return table.contains("columns") && table.contains("rows");
}

/// Of comparisons the page shows those rows that say enough.
io::Shape shown_shape() {
  using io::Shape;
  const Shape column = Shape::object(
      {{"key", Shape::text()}, {"title", Shape::text()}, optional("decimals", Shape::integer(0, 20))});
  const Shape names = Shape::object({{"data", Shape::text()}, {"model", Shape::text()}});
  return Shape::object(
      {optional("cells", Shape::list(Shape::both(names, io::cell_shape()))),
       optional("columns", Shape::list(column)), optional("rows", Shape::list(Shape::map(Shape::any()))),
       optional("table", Shape::text()), optional("title", Shape::text()), optional("quick", Shape::flag())});
}

}  // namespace

ordered_json read_results(const fs::path& file) {
  static const io::Shape shape = shown_shape();
  constexpr const char* kWhat = "the table of an experiment";
  if (!fs::is_regular_file(file)) throw UsageError(fmt::format("{}: there is no such file", file.string()));
  ordered_json table = read_json(file, "an experiment");
  if (!table.contains("cells") && !is_listing(table))
    throw InvalidInput(fmt::format("{}: not {}: there are no cells", file.string(), kWhat));
  check_shape(table, shape, file, kWhat);
  if (!table.contains("table")) table["table"] = file.stem().string();
  return table;
}

ordered_json shown_results(const ordered_json& table) {
  ordered_json cells = ordered_json::array();
  for (const ordered_json& cell : table.value("cells", ordered_json::array()))
    cells.push_back(shown_cell(cell));
  ordered_json shown = pick(table, {"table", "title", "quick"});
  shown["cells"] = cells;
  shown["comparisons"] = shown_comparisons(table);
  shown["listing"] = is_listing(table) ? shown_listing(table) : ordered_json();
  return shown;
}

}  // namespace dshn::report
