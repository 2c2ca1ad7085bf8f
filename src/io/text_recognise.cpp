#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "io/json_text.hpp"
#include "io/text_columns.hpp"
#include "io/text_words.hpp"

namespace dshn::io {
namespace {

constexpr std::size_t kRowsLookedAt = 100;  // to tell a header from data
constexpr const char* kExpected =
    "expected hyperedge, node[, role][, weight][, incidence_weight] or from, to[, weight]";

/// The directive that says what a file is, if this row is one.
std::optional<TextKind> kind_of_directive(const Table& table, const TableRow& row) {
  if (!row.directive || row.fields.empty() || row.fields[0].text != "dshn") return std::nullopt;
  std::string words;
  for (const Field& field : row.fields)
    words += std::string(words.empty() ? "" : " ") + std::string(field.text);
  if (words == "dshn hyperedge list 1") return TextKind::hyperedges;
  if (words == "dshn arc list 1") return TextKind::arcs;
  table.fail(
      row.line,
      fmt::format("unknown format '{}'; expected 'dshn hyperedge list 1' or 'dshn arc list 1'", words));
}

/// The column for what a name says; null for a name that says nothing.
using Place = int TextColumns::*;

Place place_for(std::string_view word) {
  if (is_one_of(word, {"hyperedge", "edge", "hyperedge_id", "edge_id"})) return &TextColumns::edge;
  if (is_one_of(word, {"node", "vertex", "member", "node_id", "vertex_id"})) return &TextColumns::node;
  if (is_one_of(word, {"role", "direction"})) return &TextColumns::role;
  if (is_one_of(word, {"weight"})) return &TextColumns::weight;
  if (is_one_of(word, {"incidence_weight", "multiplicity", "coefficient", "stoichiometry"}))
    return &TextColumns::incidence_weight;
  if (is_one_of(word, {"from", "source", "src", "tail"})) return &TextColumns::from;
  if (is_one_of(word, {"to", "target", "dst", "head"})) return &TextColumns::to;
  return nullptr;
}

/// What the style calls a column of this name; empty: nothing.
std::string renamed(const TextStyle& style, std::string_view name) {
  for (const auto& [role, given] : style.columns) {
    if (given == name && place_for(role) != nullptr) return role;
  }
  return "";
}

/// Whether the style gives the place to a column of another name.
bool is_given_away(const TextStyle& style, Place place) {
  return std::ranges::any_of(style.columns,
                             [&](const auto& column) { return place_for(column.first) == place; });
}

/// A row of a file that outlives the reader's next one.
struct KeptRow {
  std::int64_t line = 0;
  std::vector<std::string> texts;

  explicit KeptRow(const TableRow& row) : line(row.line) {
    for (const Field& field : row.fields) texts.emplace_back(field.text);
  }
  std::string shown() const {
    std::vector<std::string> parts;
    for (const std::string& text : texts) parts.push_back(excerpt(text));
    return fmt::format("{}", fmt::join(parts, ", "));
  }
};

std::vector<KeptRow> next_rows(Table& table) {
  std::vector<KeptRow> rows;
  while (rows.size() < kRowsLookedAt) {
    const TableRow* const row = table.next();
    if (row == nullptr) break;
    if (!row->directive) rows.emplace_back(*row);
  }
  return rows;
}

bool has_digit(const std::string& text) {
  return text.find_first_of("0123456789") != std::string::npos;
}

/// Whether one of the first two columns has such texts below the first row, and the first row has not.
bool stands_out(const KeptRow& first, const std::vector<KeptRow>& rows, bool (*is_such)(const std::string&)) {
  for (std::size_t c = 0; c < std::min<std::size_t>(first.texts.size(), 2); ++c) {
    const bool others = std::ranges::all_of(
        rows, [&](const KeptRow& row) { return row.texts.size() > c && is_such(row.texts[c]); });
    if (others && !is_such(first.texts[c])) return true;
  }
  return false;
}

/// Words above integers, or words that never come again above such as have digits in them: a header, but not
/// one of ours.
bool looks_like_header(const KeptRow& first, const std::vector<KeptRow>& rows) {
  if (rows.empty() || first.texts.size() < 2) return false;
  const auto is_integer = [](const std::string& text) { return looks_like_integer(text); };
  if (std::ranges::any_of(first.texts, is_integer)) return false;
  const bool again = std::ranges::any_of(rows, [&](const KeptRow& row) {
    return row.texts.size() < 2 || row.texts[0] == first.texts[0] || row.texts[1] == first.texts[1];
  });
  if (stands_out(first, rows, is_integer) && !again) return true;
  return rows.size() > 1 && !again && stands_out(first, rows, has_digit);
}

/// Whether a row has words that tables use for columns, and no number.
bool has_column_words(const KeptRow& row) {
  bool known = false;
  for (const std::string& text : row.texts) {
    double number = 0;
    if (parse_number(text, number)) return false;
    const std::string word = lower(text);
    // Words for arcs are words for roles too, which data has.
    const Place place = place_for(word);
    const bool of_arcs = place == &TextColumns::from || place == &TextColumns::to;
    known = known || (place != nullptr && !of_arcs) || is_one_of(word, {"id", "label", "class"});
  }
  return known;
}

TextColumns bare_hyperedge_columns(std::size_t count) {
  TextColumns columns{0, 1};
  columns.count = 4;
  if (count > 2) columns.role = 2;
  if (count > 3) columns.weight = 3;
  return columns;
}

TextColumns bare_arc_columns(std::size_t count) {
  TextColumns columns;
  columns.from = 0;
  columns.to = 1;
  columns.count = 3;
  if (count > 2) columns.weight = 2;
  return columns;
}

/// Columns of a file without a header.
TextColumns bare_columns(const Table& table, const KeptRow& row, const std::filesystem::path& path,
                         TextKind kind, std::vector<std::string>& warnings) {
  const std::size_t count = row.texts.size();
  const std::string third = count > 2 ? row.texts[2] : "";
  const bool has_role = count > 2 && (third.empty() || parse_role(third));
  const bool attributes = table.delimiter() == ' ' && third.starts_with('{');
  double number = 0;
  if (kind == TextKind::automatic && (has_arc_extension(path) || attributes)) kind = TextKind::arcs;
  if (kind == TextKind::automatic && count == 3 && parse_number(third, number)) {
    kind = TextKind::arcs;
    warnings.emplace_back(
        "three columns without a header, the third of numbers, were read as (from, to, weight)");
  }
  if (kind == TextKind::automatic && count > 2 && !has_role) {
    table.fail(
        row.line,
        fmt::format("the third column has '{}', which is no role (tail or head); a list of arcs needs a "
                    "header (from, to, weight) or the extension .arcs",
                    excerpt(third)));
  }
  if (kind == TextKind::automatic && count == 2) {
    warnings.emplace_back(
        "two columns without a header were read as (hyperedge, node); a list of arcs needs a header "
        "(from, to) or the extension .arcs");
  }
  const bool arcs = kind == TextKind::arcs;
  if (count < 2 || (count > (arcs ? 3 : 4) && !attributes)) {
    table.fail(row.line, fmt::format("{} columns; expected {}", count,
                                     arcs ? "from, to[, weight]" : "hyperedge, node[, role[, weight]]"));
  }
  TextColumns columns = arcs ? bare_arc_columns(count) : bare_hyperedge_columns(count);
  columns.attributes = attributes;
  return columns;
}

/// A name that the style gives must stand in the first row.
void check_given_names(const Table& table, const KeptRow& first, const TextStyle& style) {
  for (const auto& [role, name] : style.columns) {
    if (place_for(role) == nullptr) continue;  // about tables of nodes and hyperedges
    if (std::ranges::find(first.texts, name) != first.texts.end()) continue;
    table.fail(first.line, fmt::format("there is no column '{}' for {}; the first row has {}", name, role,
                                       first.shown()));
  }
}

TextColumns columns_of_first_row(Table& table, const KeptRow& first, const std::filesystem::path& path,
                                 TextKind kind, const TextStyle& style, std::vector<std::string>& warnings) {
  if (style.header != Header::no) {
    check_given_names(table, first, style);
    if (const auto columns = columns_of_header(first.texts, style, warnings)) {
      if (kind != TextKind::automatic && (kind == TextKind::arcs) != columns->arcs())
        table.fail(first.line, "the header names another kind of list than the one asked for");
      return *columns;
    }
    const bool header =
        style.header == Header::yes || has_column_words(first) || looks_like_header(first, next_rows(table));
    if (header)
      table.fail(
          first.line,
          fmt::format("this looks like a header with unknown columns ({}); {}", first.shown(), kExpected),
          Topic{"unknown-columns"});
  }
  return bare_columns(table, first, path, kind, warnings);
}

}  // namespace

std::optional<TextColumns> columns_of_header(const std::vector<std::string>& names, const TextStyle& style,
                                             std::vector<std::string>& warnings) {
  TextColumns columns;
  columns.header = true;
  columns.count = names.size();
  if (names.size() == 2 && lower(names[0]) == lower(names[1]) &&
      is_one_of(lower(names[0]), {"node_id", "node"})) {
    columns.from = 0;
    columns.to = 1;
    return columns;
  }
  std::vector<std::string> unused;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string given = renamed(style, names[i]);
    const Place place = place_for(given.empty() ? lower(names[i]) : given);
    if (place == nullptr || (given.empty() && is_given_away(style, place))) {
      if (!names[i].empty() || i > 0) unused.push_back(excerpt(names[i]));  // else an index of rows
      continue;
    }
    if (columns.*place >= 0) return std::nullopt;
    columns.*place = static_cast<int>(i);
  }
  const bool hyperedges = columns.edge >= 0 && columns.node >= 0;
  const bool arcs = columns.from >= 0 && columns.to >= 0;
  if (hyperedges == arcs) return std::nullopt;
  if (arcs) columns.edge = columns.node = columns.role = columns.incidence_weight = -1;
  if (hyperedges) columns.from = columns.to = -1;
  if (!unused.empty())
    warnings.push_back(
        fmt::format("columns of the hypergraph's file that are not used: {}", fmt::join(unused, ", ")));
  return columns;
}

TextColumns recognise_columns(Table& table, const std::filesystem::path& path, const LoadOptions& options,
                              std::vector<std::string>& warnings) {
  table.rewind();
  TextKind kind = options.text_kind;
  const TableRow* row = table.next();
  for (; row != nullptr && row->directive; row = table.next()) {
    const auto declared = kind_of_directive(table, *row);
    if (!declared) continue;
    if (kind != TextKind::automatic && kind != *declared) {
      table.fail(row->line, "the file says that it is another kind of list than the one asked for");
    }
    kind = *declared;
  }
  TextColumns columns;
  if (row == nullptr) {
    if (kind == TextKind::automatic)
      table.fail("neither a row nor a '#% dshn' line that says what the file is");
    columns = kind == TextKind::arcs ? bare_arc_columns(2) : bare_hyperedge_columns(2);
  } else {
    columns = columns_of_first_row(table, KeptRow(*row), path, kind, options.text, warnings);
  }
  table.rewind();
  return columns;
}

}  // namespace dshn::io
