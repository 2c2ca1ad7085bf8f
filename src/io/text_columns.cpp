#include "io/text_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace dshn::io {
namespace {

constexpr std::int64_t kMostRange = std::int64_t{1} << 24;

using Words = std::initializer_list<std::string_view>;

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  });
  return out;
}

bool is_one_of(const std::string& word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

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

/// A first row of words above rows of integers is a header, but not one of ours.
bool looks_like_header(const TableRow& first, const TableRow& second) {
  const std::size_t columns = std::min(first.fields.size(), second.fields.size());
  for (std::size_t i = 0; i < std::min<std::size_t>(columns, 2); ++i) {
    if (looks_like_integer(first.fields[i].text) || !looks_like_integer(second.fields[i].text)) return false;
  }
  return columns >= 2;
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
TextColumns bare_columns(const Table& table, const TableRow& row, const std::filesystem::path& path,
                         TextKind kind, std::vector<std::string>& warnings) {
  const std::size_t count = row.fields.size();
  const bool has_role = count > 2 && (row.fields[2].text.empty() || parse_role(row.fields[2].text));
  if (kind == TextKind::automatic && has_arc_extension(path)) kind = TextKind::arcs;
  if (kind == TextKind::automatic && count > 2 && !has_role) {
    table.fail(
        row.line,
        fmt::format("the third column has '{}', which is no role (tail or head); a list of arcs needs a "
                    "header (from, to, weight) or the extension .arcs",
                    row.fields[2].text));
  }
  if (kind == TextKind::automatic && count == 2) {
    warnings.emplace_back(
        "two columns without a header were read as (hyperedge, node); a list of arcs needs a header "
        "(from, to) or the extension .arcs");
  }
  const bool arcs = kind == TextKind::arcs;
  if (count < 2 || count > (arcs ? 3 : 4)) {
    table.fail(row.line, fmt::format("{} columns; expected {}", count,
                                     arcs ? "from, to[, weight]" : "hyperedge, node[, role[, weight]]"));
  }
  return arcs ? bare_arc_columns(count) : bare_hyperedge_columns(count);
}

}  // namespace

std::optional<Role> parse_role(std::string_view text) {
  const std::string word = lower(text);
  if (is_one_of(word, {"tail", "source"})) return Role::tail;
  if (is_one_of(word, {"head", "target"})) return Role::head;
  return std::nullopt;
}

std::optional<TextColumns> columns_of_header(const std::vector<Field>& fields) {
  TextColumns columns;
  columns.header = true;
  columns.count = fields.size();
  std::vector<std::string> words;
  words.reserve(fields.size());
  for (const Field& field : fields) words.push_back(lower(field.text));
  if (words.size() == 2 && words[0] == words[1] && is_one_of(words[0], {"node_id", "node"})) {
    columns.from = 0;
    columns.to = 1;
    return columns;
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    int* column = nullptr;
    if (is_one_of(words[i], {"hyperedge", "edge", "hyperedge_id", "edge_id"})) column = &columns.edge;
    if (is_one_of(words[i], {"node", "vertex", "member", "node_id", "vertex_id"})) column = &columns.node;
    if (is_one_of(words[i], {"role", "direction"})) column = &columns.role;
    if (is_one_of(words[i], {"weight"})) column = &columns.weight;
    if (is_one_of(words[i], {"from", "source", "src", "tail"})) column = &columns.from;
    if (is_one_of(words[i], {"to", "target", "dst", "head"})) column = &columns.to;
    if (column == nullptr || *column >= 0) return std::nullopt;
    *column = static_cast<int>(i);
  }
  const bool hyperedges = columns.edge >= 0 && columns.node >= 0 && columns.from < 0 && columns.to < 0;
  const bool arcs =
      columns.from >= 0 && columns.to >= 0 && columns.edge < 0 && columns.node < 0 && columns.role < 0;
  return hyperedges || arcs ? std::optional(columns) : std::nullopt;
}

TextColumns recognise_columns(Table& table, const std::filesystem::path& path, TextKind kind,
                              std::vector<std::string>& warnings) {
  table.rewind();
  const TableRow* row = table.next();
  for (; row != nullptr && row->directive; row = table.next()) {
    const auto declared = kind_of_directive(table, *row);
    if (!declared) continue;
    if (kind != TextKind::automatic && kind != *declared) {
      table.fail(row->line, "the file says that it is another kind of list than the one asked for");
    }
    kind = *declared;
  }
  std::optional<TextColumns> columns;
  if (row == nullptr) {
    if (kind == TextKind::automatic)
      table.fail("neither a row nor a '#% dshn' line that says what the file is");
    columns = kind == TextKind::arcs ? bare_arc_columns(2) : bare_hyperedge_columns(2);
  } else if (columns = columns_of_header(row->fields); columns) {
    if (kind != TextKind::automatic && (kind == TextKind::arcs) != columns->arcs()) {
      table.fail(row->line, "the header names another kind of list than the one asked for");
    }
  } else {
    columns = bare_columns(table, *row, path, kind, warnings);
    const TableRow first = *row;
    const TableRow* const second = table.next();
    if (second != nullptr && !second->directive && looks_like_header(first, *second)) {
      table.fail(first.line,
                 "this looks like a header with unknown columns; expected hyperedge, node[, role][, weight] "
                 "or from, to[, weight]");
    }
  }
  table.rewind();
  return *columns;
}

const Field* field_of(const TableRow& row, int column) {
  if (column < 0 || static_cast<std::size_t>(column) >= row.fields.size()) return nullptr;
  const Field& field = row.fields[static_cast<std::size_t>(column)];
  return field.text.empty() && !field.quoted ? nullptr : &field;
}

void for_each_row(Table& table, const TextColumns& columns,
                  const std::function<void(const TableRow&)>& directive,
                  const std::function<void(const TableRow&)>& row) {
  bool header = columns.header;
  table.rewind();
  while (const TableRow* const next = table.next()) {
    if (next->directive) {
      directive(*next);
    } else if (!std::exchange(header, false)) {
      if (next->fields.size() < 2 || next->fields.size() > columns.count) {
        table.fail(next->line,
                   fmt::format("{} columns; expected 2 to {}", next->fields.size(), columns.count));
      }
      row(*next);
    }
  }
}

Index TextIds::intern(const Table& table, std::int64_t line, const Field& field, bool declared) {
  if (field.quoted || !looks_like_integer(field.text)) {
    return table_.intern(field.text);
  }
  std::int64_t value = 0;
  const bool fits = parse_number(field.text, value);
  const bool small = fits && value >= 0 && value <= std::numeric_limits<Index>::max();
  const Index before = table_.size();
  const Index id = fits ? table_.intern(value) : before;
  if (!fits || (!small && !declared && id == before)) {
    table.fail(line,
               fmt::format("{} id {} is outside 0..2147483647; quote it if it is a name", what_, field.text));
  }
  return id;
}

Index TextIds::row_id(const Table& table, const TableRow& row, int column) {
  const Field* const field = field_of(row, column);
  if (field == nullptr) table.fail(row.line, fmt::format("the {} has no id", what_));
  return intern(table, row.line, *field, false);
}

Index TextIds::declare(const Table& table, std::int64_t line, const Field& field) {
  listed_.push_back(intern(table, line, field, true));
  return listed_.back();
}

void TextIds::declare_range(const Table& table, std::int64_t line, const Field& field) {
  std::int64_t count = -1;
  if (!parse_number(field.text, count) || count < 0 || count > kMostRange) {
    table.fail(line, fmt::format("'{}' is not a number of {}s between 0 and 2^24", field.text, what_));
  }
  for (std::int64_t i = 0; i < count; ++i) listed_.push_back(table_.intern(i));
}

TextIds::Numbering TextIds::numbering() const {
  const std::vector<Index> order = table_.order(listed_);
  Numbering out{std::vector<Index>(order.size()), table_.names(order)};
  for (std::size_t i = 0; i < order.size(); ++i) out.final_id[order[i]] = static_cast<Index>(i);
  return out;
}

double parse_weight(const Table& table, std::int64_t line, const Field& field) {
  double value = 0;
  if (!parse_number(field.text, value) || !std::isfinite(value) || value <= 0) {
    table.fail(line, fmt::format("'{}' is not a weight, a finite number above 0", field.text));
  }
  return value;
}

}  // namespace dshn::io
