#include "data/column_codes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "dshn/base/error.hpp"

namespace dshn::data {
namespace {

constexpr std::size_t kMostWords = 1000;
/// With fewer distinct values, numbers among words are words too, e.g. codes such as 1, 2, 2a.
constexpr std::size_t kFewWords = 50;
constexpr std::size_t kNamed = 6;  // in messages

/// Values of one column by item: a number each, or the place of a word. Missing: NaN or -1.
struct CodedColumn {
  ColumnCode code;
  std::vector<float> numbers;
  std::vector<Index> words;

  bool missing(std::size_t item) const {
    return code.numeric() ? std::isnan(numbers[item]) : words[item] == kMissingWord;
  }
  static constexpr Index kMissingWord = -1;
  static constexpr Index kUnknownWord = -2;
};

/// A decimal or thousands comma: 3,14 or 1,234,567.5 or 1.234,5.
bool has_comma_number(std::string_view text) {
  const auto digits = [](char c) { return c >= '0' && c <= '9'; };
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const bool commas = text.find(',') != std::string_view::npos;
  return commas && digits(text.front()) && digits(text.back()) &&
         std::ranges::all_of(text, [&](char c) { return digits(c) || c == ',' || c == '.'; });
}

float checked_float(double value, const io::ItemTable& table, const io::TextColumn& column,
                    std::int64_t row) {
  if (std::abs(value) <= std::numeric_limits<float>::max()) return static_cast<float>(value);
  table.fail(row, fmt::format("'{}' in column '{}' is too large a number", column[row], column.name()));
}

/// Finds out what a column is, and codes it.
class ColumnCoder {
 public:
  ColumnCoder(const io::ItemTable& table, const io::TextColumn& column, const std::vector<std::int64_t>& rows)
      : table_(table), column_(column), rows_(rows) {}

  /// Nothing where the column is left out, for the reason that is then in `why`.
  bool code(CodedColumn& out, std::string& why) {
    count();
    out.code.name = column_.name();
    out.code.marks_missing = missing_ > 0;
    if (numbers_ + words_ == 0) {
      why = "is empty";
      return false;
    }
    if (words_ == 0) {
      read_numbers(out);
      return true;
    }
    const std::vector<std::string> words = distinct();
    refuse_numbers_in_disguise(words.size());
    const auto many = static_cast<std::int64_t>(words.size());
    if (words.size() > kMostWords || (many > 10 && 10 * many > 8 * (numbers_ + words_))) {
      why = fmt::format("has {} different words in {} rows", many, numbers_ + words_);
      return false;
    }
    out.code.words = words;
    read_words(out);
    return true;
  }

 private:
  template <typename Visit>
  void for_each_cell(const Visit& visit) const {
    for (std::size_t item = 0; item < rows_.size(); ++item) {
      if (rows_[item] >= 0) visit(item, rows_[item], column_[rows_[item]]);
    }
  }

  void count() {
    for_each_cell([&](std::size_t, std::int64_t row, std::string_view cell) {
      double ignored = 0;
      if (cell.empty()) {
        ++missing_;
      } else if (io::parse_cell(cell, ignored)) {
        ++numbers_;
      } else {
        if (words_++ == 0) first_word_ = row;
        with_comma_ += has_comma_number(cell) ? 1 : 0;
      }
    });
  }

  std::vector<std::string> distinct() const {
    std::unordered_set<std::string_view> seen;
    for_each_cell([&](std::size_t, std::int64_t, std::string_view cell) {
      if (!cell.empty()) seen.insert(cell);
    });
    std::vector<std::string> words(seen.begin(), seen.end());
    std::ranges::sort(words);
    return words;
  }

  void refuse_numbers_in_disguise(std::size_t distinct) const {
    const auto refuse = [&](const std::string& what) {
      table_.fail(first_word_,
                  fmt::format("'{}' in column '{}' {}", column_[first_word_], column_.name(), what));
    };
    if (with_comma_ == words_)
      refuse("has a decimal or thousands comma; expected a number with a decimal point and no other sign");
    if (distinct > kFewWords && numbers_ >= 9 * words_)
      refuse(fmt::format("is not a number, but {} other values are", numbers_));
  }

  void read_numbers(CodedColumn& out) const {
    out.numbers.assign(rows_.size(), std::numeric_limits<float>::quiet_NaN());
    double sum = 0;
    for_each_cell([&](std::size_t item, std::int64_t row, std::string_view cell) {
      double value = 0;
      if (!io::parse_cell(cell, value)) return;
      sum += value;
      out.numbers[item] = checked_float(value, table_, column_, row);
    });
    out.code.fill = sum / static_cast<double>(numbers_);
  }

  void read_words(CodedColumn& out) const {
    out.words.assign(rows_.size(), CodedColumn::kMissingWord);
    for_each_cell([&](std::size_t item, std::int64_t, std::string_view cell) {
      if (cell.empty()) return;
      const auto place = std::ranges::lower_bound(out.code.words, cell);
      out.words[item] = static_cast<Index>(place - out.code.words.begin());
    });
  }

  const io::ItemTable& table_;
  const io::TextColumn& column_;
  const std::vector<std::int64_t>& rows_;
  std::int64_t missing_ = 0, numbers_ = 0, words_ = 0, with_comma_ = 0;
  std::int64_t first_word_ = -1;
};

/// What a column has that the one it is to be like had not.
struct Departures {
  std::int64_t gaps = 0;
  std::int64_t unknown = 0;
  std::string first_unknown = {};
};

CodedColumn code_like(const io::ItemTable& table, const io::TextColumn& column,
                      const std::vector<std::int64_t>& rows, const ColumnCode& like, Departures& departures) {
  CodedColumn out;
  out.code = like;
  if (like.numeric())
    out.numbers.assign(rows.size(), std::numeric_limits<float>::quiet_NaN());
  else
    out.words.assign(rows.size(), CodedColumn::kMissingWord);
  for (std::size_t item = 0; item < rows.size(); ++item) {
    const std::int64_t row = rows[item];
    const std::string_view cell = row < 0 ? std::string_view() : column[row];
    if (cell.empty()) {
      departures.gaps += row >= 0 && !like.marks_missing ? 1 : 0;
      continue;
    }
    if (like.numeric()) {
      double value = 0;
      if (!io::parse_cell(cell, value))
        table.fail(row, fmt::format("'{}' in column '{}' is not a number, as the model was trained on", cell,
                                    column.name()));
      out.numbers[item] = checked_float(value, table, column, row);
      continue;
    }
    const auto place = std::ranges::find(like.words, cell);
    const bool known = place != like.words.end();
    out.words[item] = known ? static_cast<Index>(place - like.words.begin()) : CodedColumn::kUnknownWord;
    if (!known && departures.unknown++ == 0) departures.first_unknown = cell;
  }
  return out;
}

/// One for the items that have no row.
CodedColumn no_row_column(const std::vector<std::int64_t>& rows) {
  CodedColumn out;
  out.code.name = kNoRow;
  out.code.words = {"missing"};
  out.words.reserve(rows.size());
  for (const std::int64_t row : rows) out.words.push_back(row < 0 ? 0 : CodedColumn::kUnknownWord);
  return out;
}

class EntryWriter {
 public:
  explicit EntryWriter(const std::vector<CodedColumn>& columns, const std::vector<std::int64_t>& rows)
      : columns_(columns), rows_(rows) {}

  Features write() {
    entries_.row_ptr.push_back(0);
    for (std::size_t item = 0; item < rows_.size(); ++item) {
      Index at = 0;
      for (const CodedColumn& column : columns_) at = add(column, item, at);
      width_ = at;
      entries_.row_ptr.push_back(static_cast<Offset>(entries_.columns.size()));
    }
    if (std::ranges::all_of(entries_.values, [](float value) { return value == 1; })) entries_.values.clear();
    const Features features(static_cast<Index>(rows_.size()), width_, std::move(entries_));
    const bool few = features.worth_entries(static_cast<Offset>(features.columns().size()));
    return few ? features : Features(features.rows(), features.cols(), features.dense_values());
  }

 private:
  Index add(const CodedColumn& column, std::size_t item, Index at) {
    const bool missing = column.missing(item);
    if (column.code.numeric()) {
      put(at, missing ? static_cast<float>(column.code.fill) : column.numbers[item]);
      at += 1;
    } else {
      if (column.words[item] >= 0) put(at + column.words[item], 1);
      at += static_cast<Index>(column.code.words.size());
    }
    if (!column.code.marks_missing) return at;
    // An item without a row has a mark of its own.
    if (missing && rows_[item] >= 0) put(at, 1);
    return at + 1;
  }

  void put(Index column, float value) {
    if (value == 0) return;
    entries_.columns.push_back(column);
    entries_.values.push_back(value);
  }

  const std::vector<CodedColumn>& columns_;
  const std::vector<std::int64_t>& rows_;
  Features::Entries entries_;
  Index width_ = 0;
};

std::string columns_note(const io::ItemTable& table, const CodedTable& coded) {
  std::vector<std::string> numbers, words, gaps;
  for (const ColumnCode& column : coded.columns) {
    if (column.name == kNoRow) continue;
    if (column.numeric())
      numbers.push_back(column.name);
    else
      words.push_back(fmt::format("{} ({})", column.name, column.words.size()));
    if (column.marks_missing) gaps.push_back(column.name);
  }
  std::string line = fmt::format("{}: {} columns of features", table.file, coded.features.cols());
  if (!numbers.empty()) line += fmt::format("; numbers: {}", some_of(numbers));
  if (!words.empty()) line += fmt::format("; words, a column each: {}", some_of(words));
  if (!gaps.empty()) line += fmt::format("; with gaps, marked by a column: {}", some_of(gaps));
  return line;
}

/// Items without a row, in the table's words.
void name_absent(const io::ItemTable& table, const Items& items, const std::vector<std::int64_t>& rows,
                 CodedTable& out) {
  std::vector<std::string> absent;
  for (Index item = 0; item < items.count; ++item) {
    if (rows[static_cast<std::size_t>(item)] < 0) absent.push_back(items.names->quoted(item));
  }
  if (absent.empty()) return;
  out.warnings.push_back(fmt::format("{}: {} of {} {}s have no row, and their features count as missing: {}",
                                     table.file, absent.size(), items.count, items.word, some_of(absent)));
}

CodedTable finish(const io::ItemTable& table, const Items& items, const std::vector<std::int64_t>& rows,
                  const std::vector<CodedColumn>& columns, CodedTable out) {
  for (const CodedColumn& column : columns) out.columns.push_back(column.code);
  out.features = EntryWriter(columns, rows).write();
  name_absent(table, items, rows, out);
  return out;
}

std::vector<std::string> names_of(const std::vector<ColumnCode>& columns) {
  std::vector<std::string> names;
  for (const ColumnCode& column : columns) {
    if (column.name != kNoRow) names.push_back(column.name);
  }
  return names;
}

const io::TextColumn* find_in(const std::vector<const io::TextColumn*>& columns, const std::string& name) {
  const auto found = std::ranges::find(columns, name, [](const io::TextColumn* c) { return c->name(); });
  return found == columns.end() ? nullptr : *found;
}

void compare_columns(const io::ItemTable& table, const std::vector<const io::TextColumn*>& chosen,
                     const std::vector<std::string>& trained, CodedTable& out) {
  std::vector<std::string> missing, extra;
  for (const std::string& name : trained) {
    if (find_in(chosen, name) == nullptr) missing.push_back(name);
  }
  if (!missing.empty()) {
    throw InvalidInput(fmt::format("{}: trained on {} columns ({}), this table has {}; missing: {}",
                                   table.file, trained.size(), some_of(trained), chosen.size(),
                                   some_of(missing)));
  }
  for (const io::TextColumn* const column : chosen) {
    if (std::ranges::find(trained, column->name()) == trained.end()) extra.push_back(column->name());
  }
  if (extra.empty()) return;
  out.warnings.push_back(fmt::format("{}: columns that the model was not trained on are left out: {}",
                                     table.file, some_of(extra)));
}

}  // namespace

std::string some_of(const std::vector<std::string>& words) {
  const std::size_t shown = std::min(words.size(), words.size() == kNamed + 1 ? kNamed + 1 : kNamed);
  std::string text =
      fmt::format("{}", fmt::join(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (words.size() > shown) text += fmt::format(" and {} more", words.size() - shown);
  return text;
}

std::vector<std::int64_t> rows_by_item(const io::ItemTable& table, Index count) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(count), -1);
  for (std::int64_t row = 0; row < table.rows(); ++row) {
    const Index item = table.items[static_cast<std::size_t>(row)];
    if (item < count) rows[static_cast<std::size_t>(item)] = row;
  }
  return rows;
}

CodedTable code_table(const io::ItemTable& table, const std::vector<const io::TextColumn*>& chosen,
                      const Items& items) {
  const std::vector<std::int64_t> rows = rows_by_item(table, items.count);
  std::vector<CodedColumn> columns;
  CodedTable out;
  for (const io::TextColumn* const column : chosen) {
    CodedColumn coded;
    std::string why;
    if (ColumnCoder(table, *column, rows).code(coded, why))
      columns.push_back(std::move(coded));
    else
      out.warnings.push_back(
          fmt::format("{}: column '{}' {} and is left out", table.file, column->name(), why));
  }
  if (columns.empty()) return out;
  if (std::ranges::find(rows, -1) != rows.end()) columns.push_back(no_row_column(rows));
  out = finish(table, items, rows, columns, std::move(out));
  out.notes.push_back(columns_note(table, out));
  return out;
}

CodedTable code_table_like(const io::ItemTable& table, const std::vector<const io::TextColumn*>& chosen,
                           const Items& items, const std::vector<ColumnCode>& like) {
  const std::vector<std::int64_t> rows = rows_by_item(table, items.count);
  CodedTable out;
  compare_columns(table, chosen, names_of(like), out);
  std::vector<CodedColumn> columns;
  for (const ColumnCode& code : like) {
    if (code.name == kNoRow) {
      columns.push_back(no_row_column(rows));
      continue;
    }
    Departures departures;
    columns.push_back(code_like(table, *find_in(chosen, code.name), rows, code, departures));
    if (departures.unknown > 0)
      out.warnings.push_back(fmt::format(
          "{}: {} values of column '{}' are words that the model was not trained on, the first '{}'; "
          "they count as none of the known ones",
          table.file, departures.unknown, code.name, departures.first_unknown));
    if (departures.gaps > 0)
      out.warnings.push_back(fmt::format(
          "{}: {} values of column '{}' are missing, which the model was not trained on; {}", table.file,
          departures.gaps, code.name,
          code.numeric() ? "they are replaced by the mean" : "they count as none of the known words"));
  }
  return finish(table, items, rows, columns, std::move(out));
}

}  // namespace dshn::data
