#include "dshn/io/item_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "dshn/base/error.hpp"
#include "dshn/io/table.hpp"
#include "io/json_text.hpp"
#include "io/text_words.hpp"

namespace dshn::io {
namespace {

constexpr std::size_t kSampledRows = 100;  // looked at to tell a header from data

using Words = std::vector<std::string>;

/// What pandas, R and others write where there is no value.
constexpr std::string_view kMissingMarks[] = {"NA",   "N/A", "n/a",  "NaN",  "nan", "null",
                                              "NULL", "nil", "None", "<NA>", "#N/A"};

bool is_missing_mark(const Field& field) {
  return !field.quoted && std::ranges::find(kMissingMarks, field.text) != std::end(kMissingMarks);
}

/// Names under which a table of these items has their ids.
std::vector<std::string_view> id_words(const ItemKind& kind) {
  if (std::string_view(kind.word) == "node")
    return {"id", "node", "node_id", "vertex", "vertex_id", "nodeid"};
  return {"id", "hyperedge", "edge", "hyperedge_id", "edge_id"};
}

bool is_id_word(const std::string& name, const ItemKind& kind) {
  const std::vector<std::string_view> words = id_words(kind);
  return std::ranges::find(words, lower(name)) != words.end();
}

bool is_known_word(const std::string& name, const ItemKind& kind) {
  return is_id_word(name, kind) || is_one_of(lower(name), {"label", "class", "y", "split", "weight"});
}

/// As pandas calls the column of a row index, when it writes it and when it has read it back.
bool is_unnamed(const std::string& name) {
  return name.empty() || name.starts_with("Unnamed: ");
}

bool is_number(const std::string& text) {
  double ignored = 0;
  return parse_cell(text, ignored);
}

Words texts_of(const TableRow& row) {
  Words texts;
  for (const Field& field : row.fields) texts.emplace_back(field.text);
  return texts;
}

/// The first rows of a table, and whether the first of all is a header.
class Beginning {
 public:
  Beginning(Table& table, const ItemKind& kind, const TextStyle& style) : kind_(kind), style_(style) {
    table.rewind();
    while (const TableRow* row = table.next()) {
      if (row->directive) continue;
      if (rows_.empty() && !row->fields.empty())
        first_id_ = {row->fields[0].text.data(), row->fields[0].text.size()};
      if (rows_.empty() && !row->fields.empty()) first_quoted_ = row->fields[0].quoted;
      rows_.push_back(texts_of(*row));
      if (rows_.size() > kSampledRows) break;
    }
    table.rewind();
    if (rows_.empty()) table.fail("there is no row in it");
  }

  const Words& first() const { return rows_[0]; }

  bool is_header() const {
    if (style_.header != Header::automatic) return style_.header == Header::yes;
    if (names_known_columns() || words_above_numbers()) return true;
    const bool number_inside = std::any_of(first().begin() + 1, first().end(), is_number);
    return !number_inside && !first_id_is_known();
  }

 private:
  bool names_known_columns() const {
    const bool asked_for = std::ranges::any_of(style_.columns, [this](const auto& column) {
      return std::ranges::find(first(), column.second) != first().end();
    });
    const bool index = first().size() > 1 && is_unnamed(first()[0]) &&
                       std::none_of(first().begin() + 1, first().end(), is_number);
    return asked_for || index || std::ranges::any_of(first(), [this](const std::string& name) {
             return is_known_word(name, kind_);
           });
  }

  bool words_above_numbers() const {
    for (std::size_t column = 0; column < first().size(); ++column) {
      if (first()[column].empty() || is_number(first()[column])) continue;
      std::size_t numbers = 0;
      std::size_t words = 0;
      for (std::size_t row = 1; row < rows_.size(); ++row) {
        if (column >= rows_[row].size() || rows_[row][column].empty()) continue;
        ++(is_number(rows_[row][column]) ? numbers : words);
      }
      if (numbers > 0 && words == 0) return true;
    }
    return false;
  }

  bool first_id_is_known() const {
    return kind_.names->find(first_id_, !first_quoted_ && looks_like_integer(first_id_)) >= 0;
  }

  const ItemKind& kind_;
  const TextStyle& style_;
  std::vector<Words> rows_;
  std::string first_id_;
  bool first_quoted_ = false;
};

class ItemTableReader {
 public:
  ItemTableReader(Table& table, const std::filesystem::path& path, const ItemKind& kind,
                  const TextStyle& style)
      : source_(table), kind_(kind), style_(style) {
    out_.file = path.string();
  }

  ItemTable read() {
    const Beginning beginning(source_, kind_, style_);
    const bool header = beginning.is_header();
    name_columns(beginning.first(), header);
    bool skip = header;
    while (const TableRow* row = source_.next()) {
      if (row->directive) continue;
      if (skip)
        skip = false;
      else
        add(*row);
    }
    if (out_.items.empty()) source_.fail("there is no row below the header");
    drop_index();
    if (marks_ > 0)
      out_.notes.push_back(
          fmt::format("{}: {} cells with {} were read as missing", out_.file, marks_, first_mark_));
    return std::move(out_);
  }

 private:
  void name_columns(const Words& first, bool header) {
    names_ = first;
    for (std::size_t i = 0; !header && i < names_.size(); ++i) names_[i] = std::to_string(i + 1);
    id_ = find_id(header);
    out_.id_column = names_[id_];
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const auto twice =
          std::find(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(i), names_[i]);
      if (twice != names_.begin() + static_cast<std::ptrdiff_t>(i) && !names_[i].empty())
        source_.fail(fmt::format("two columns are called '{}'", excerpt(names_[i])));
      if (i != id_) out_.columns.emplace_back(names_[i]);
    }
  }

  std::size_t find_id(bool header) {
    if (const auto asked = style_.columns.find("id"); asked != style_.columns.end()) {
      const auto found = std::ranges::find(names_, asked->second);
      if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
    }
    for (const std::string_view word : id_words(kind_)) {
      const auto found = std::ranges::find(names_, word, [](const std::string& name) { return lower(name); });
      if (header && found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
    }
    if (header && !is_unnamed(names_[0]))
      out_.notes.push_back(fmt::format("{}: column '{}' was taken for the ids of the {}s", out_.file,
                                       excerpt(names_[0]), kind_.word));
    return 0;
  }

  void add(const TableRow& row) {
    if (row.fields.size() != names_.size()) {
      source_.fail(row.line,
                   fmt::format("{} columns; the first row has {}", row.fields.size(), names_.size()));
    }
    out_.items.push_back(item_of(row));
    out_.places.push_back(row.line);
    std::size_t next = 0;
    for (std::size_t i = 0; i < row.fields.size(); ++i) {
      if (i == id_) continue;
      const bool mark = is_missing_mark(row.fields[i]);
      if (mark && marks_++ == 0) first_mark_ = row.fields[i].text;
      out_.columns[next++].add(mark ? std::string_view() : row.fields[i].text);
    }
  }

  Index item_of(const TableRow& row) {
    const Field& id = row.fields[id_];
    if (id.text.empty()) source_.fail(row.line, fmt::format("the {} has no id", kind_.word));
    const bool is_integer = !id.quoted && looks_like_integer(id.text);
    Index item = kind_.names->find(id.text, is_integer);
    if (item < 0) {
      const auto [known, fresh] =
          strangers_.emplace(id.text, kind_.names->size() + static_cast<Index>(strangers_.size()));
      item = known->second;
      if (fresh) out_.strangers.push_back({std::string(id.text), is_integer});
    }
    if (static_cast<std::size_t>(item) >= line_of_.size())
      line_of_.resize(std::max<std::size_t>(kind_.names->size(), 2 * static_cast<std::size_t>(item) + 1));
    std::int64_t& line = line_of_[static_cast<std::size_t>(item)];
    if (line != 0)
      source_.fail(row.line,
                   fmt::format("{} '{}' is in line {} already", kind_.word, excerpt(id.text), line));
    line = row.line;
    return item;
  }

  /// An unnamed column beside the ids is a row index, or the nothing behind a last separator.
  void drop_index() {
    std::erase_if(out_.columns, [](const TextColumn& column) { return is_unnamed(column.name()); });
  }

  Table& source_;
  const ItemKind& kind_;
  const TextStyle& style_;
  ItemTable out_;
  Words names_;
  std::size_t id_ = 0;
  std::unordered_map<std::string, Index> strangers_;
  std::vector<std::int64_t> line_of_;  // by item; 0 where it has not been seen
  std::int64_t marks_ = 0;
  std::string first_mark_;
};

}  // namespace

const TextColumn* ItemTable::find(std::string_view column) const {
  const auto found = std::ranges::find(columns, column, &TextColumn::name);
  return found == columns.end() ? nullptr : &*found;
}

std::string ItemTable::where(std::int64_t row) const {
  return fmt::format("{}, {} {}", file, place_word, places[static_cast<std::size_t>(row)]);
}

void ItemTable::fail(std::int64_t row, const std::string& message) const {
  throw InvalidInput(fmt::format("{}: {}", where(row), message));
}

ItemTable read_item_table(const std::filesystem::path& path, const ItemKind& kind, const TextStyle& style,
                          const Progress& progress) {
  Table table(path, progress, {style.delimiter, true});
  table.require_utf8();
  return ItemTableReader(table, path, kind, style).read();
}

std::vector<double> weights_in(const ItemTable& table, const TextColumn& column, Index count) {
  std::vector<double> weights(static_cast<std::size_t>(count), 1.0);
  for (std::int64_t row = 0; row < table.rows(); ++row) {
    if (column[row].empty() || table.items[row] >= count) continue;
    double& weight = weights[table.items[row]];
    if (!parse_cell(column[row], weight) || weight <= 0)
      table.fail(row, fmt::format("'{}' is not a weight, a finite number above 0", column[row]));
  }
  return weights;
}

bool parse_cell(std::string_view text, double& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  if (!digit(sign) && !(sign < text.size() && text[sign] == '.' && digit(sign + 1))) return false;
  if (text[sign] == '0' && digit(sign + 1)) return false;
  return parse_number(text, value) && std::isfinite(value);
}

}  // namespace dshn::io
