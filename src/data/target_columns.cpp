#include "data/target_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "data/column_codes.hpp"
#include "dshn/base/error.hpp"

namespace dshn::data {
namespace {

constexpr std::string_view kSeparators = ";|";
/// Beyond so many, words that nearly all stand at one item only are no labels.
constexpr std::size_t kPlausibleLabels = 10;

using Columns = std::vector<const io::TextColumn*>;

std::vector<std::string> names_of(const Columns& columns) {
  std::vector<std::string> names;
  for (const io::TextColumn* const column : columns) names.push_back(column->name());
  return names;
}

std::string quoted_names(const Columns& columns) {
  std::vector<std::string> names = names_of(columns);
  return fmt::format("column{} '{}'", names.size() == 1 ? "" : "s", some_of(names));
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// The words between separators; none of an item that has no label.
std::vector<std::string_view> words_in(std::string_view cell) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t end = std::min(cell.find_first_of(kSeparators), cell.size());
    if (const std::string_view word = trimmed(cell.substr(0, end)); !word.empty()) words.push_back(word);
    if (end == cell.size()) return words;
    cell.remove_prefix(end + 1);
  }
}

/// The values of a table's rows in a row for each item: `read(row, values)` fills one; not known where it says so.
template <typename Read>
CodedTargets coded(const io::ItemTable& table, const Items& items, std::vector<std::string> names,
                   const Read& read) {
  CodedTargets out;
  out.names = std::move(names);
  const std::size_t width = out.names.size();
  out.values.assign(static_cast<std::size_t>(items.count) * width, kUnknownValue);
  const std::vector<std::int64_t> rows = rows_by_item(table, items.count);
  std::vector<double> values(width);
  for (std::size_t item = 0; item < rows.size(); ++item) {
    if (rows[item] < 0 || !read(rows[item], values)) continue;
    std::ranges::copy(values, out.values.begin() + static_cast<std::ptrdiff_t>(item * width));
  }
  return out;
}

std::int64_t known_items(const CodedTargets& coded) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < coded.values.size(); i += coded.names.size())
    count += std::isnan(coded.values[i]) ? 0 : 1;
  return count;
}

void check_any(const CodedTargets& coded, const io::ItemTable& table, const Columns& columns,
               const char* what) {
  if (known_items(coded) == 0)
    throw InvalidInput(fmt::format("{}: {} has no {} for any item of the hypergraph", table.file,
                                   quoted_names(columns), what));
}

/// "price 3.5 to 12".
std::string ranges_text(const CodedTargets& coded) {
  std::vector<std::string> parts;
  const std::size_t width = coded.names.size();
  for (std::size_t c = 0; c < width; ++c) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t i = c; i < coded.values.size(); i += width) {
      if (std::isnan(coded.values[i])) continue;
      low = std::min(low, coded.values[i]);
      high = std::max(high, coded.values[i]);
    }
    parts.push_back(fmt::format("{} {:.6g} to {:.6g}", coded.names[c], low, high));
  }
  return some_of(parts);
}

/// "red 10, round 4".
std::string sizes_text(const CodedTargets& coded) {
  std::vector<std::string> parts;
  const std::size_t width = coded.names.size();
  for (std::size_t c = 0; c < width; ++c) {
    std::int64_t items = 0;
    for (std::size_t i = c; i < coded.values.size(); i += width) items += coded.values[i] == 1 ? 1 : 0;
    parts.push_back(fmt::format("{} {}", coded.names[c], items));
  }
  return some_of(parts);
}

/// The labels that occur.
std::vector<std::string> distinct_labels(const io::ItemTable& table, const io::TextColumn& column,
                                         const Items& items) {
  std::set<std::string, std::less<>> seen;
  std::size_t uses = 0;
  for (const std::int64_t row : rows_by_item(table, items.count)) {
    if (row < 0) continue;
    const std::vector<std::string_view> words = words_in(column[row]);
    uses += words.size();
    for (const std::string_view word : words) seen.emplace(word);
  }
  if (seen.empty())
    throw InvalidInput(fmt::format("{}: column '{}' has no label for any item of the hypergraph", table.file,
                                   column.name()));
  if (seen.size() > kPlausibleLabels && 2 * seen.size() > uses)
    throw InvalidInput(
        fmt::format("{}: column '{}' has {} different labels that are used {} times; expected "
                    "labels that come again",
                    table.file, column.name(), seen.size(), uses));
  return {seen.begin(), seen.end()};
}

CodedTargets joined_labels(const io::ItemTable& table, const io::TextColumn& column, const Items& items,
                           const std::vector<std::string>& names) {
  std::map<std::string_view, std::size_t> place;
  for (std::size_t c = 0; c < names.size(); ++c) place[names[c]] = c;
  return coded(table, items, names, [&](std::int64_t row, std::vector<double>& values) {
    if (column[row].empty()) return false;
    std::ranges::fill(values, 0);
    for (const std::string_view word : words_in(column[row])) {
      const auto found = place.find(word);
      if (found == place.end())
        table.fail(row, fmt::format("label '{}' is not one that the model was trained on; known are {}", word,
                                    some_of(names)));
      values[found->second] = 1;
    }
    return true;
  });
}

CodedTargets marked_labels(const io::ItemTable& table, const Columns& columns, const Items& items) {
  return coded(table, items, names_of(columns), [&](std::int64_t row, std::vector<double>& values) {
    bool complete = true;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string_view cell = (*columns[c])[row];
      complete = complete && !cell.empty();
      double value = 0;
      if (!cell.empty() && (!io::parse_cell(cell, value) || (value != 0 && value != 1)))
        table.fail(row, fmt::format("'{}' in column '{}' is neither 1 nor 0, as a column of one label has",
                                    cell, columns[c]->name()));
      values[c] = value;
    }
    return complete;
  });
}

}  // namespace

CodedTargets code_numbers(const io::ItemTable& table, const Columns& columns, const Items& items) {
  CodedTargets out =
      coded(table, items, names_of(columns), [&](std::int64_t row, std::vector<double>& values) {
        bool complete = true;
        for (std::size_t c = 0; c < columns.size(); ++c) {
          const std::string_view cell = (*columns[c])[row];
          complete = complete && !cell.empty();
          if (!cell.empty() && !io::parse_cell(cell, values[c]))
            table.fail(
                row, fmt::format("'{}' in column '{}' is no number; expected one, or nothing where it is not "
                                 "known",
                                 cell, columns[c]->name()));
        }
        return complete;
      });
  check_any(out, table, columns, "number");
  out.note = fmt::format("{}: {} of {} {}s have numbers: {}", table.file, known_items(out), items.count,
                         items.word, ranges_text(out));
  return out;
}

CodedTargets code_label_sets(const io::ItemTable& table, const Columns& columns, const Items& items,
                             const std::vector<std::string>& known) {
  const bool joined = columns.size() == 1;
  CodedTargets out = joined
                         ? joined_labels(table, *columns[0], items,
                                         known.empty() ? distinct_labels(table, *columns[0], items) : known)
                         : marked_labels(table, columns, items);
  check_any(out, table, columns, "label");
  out.note = fmt::format("{}: {}, {}, gives {} of {} {}s any of {} labels ({})", table.file,
                         quoted_names(columns), joined ? "split at ; and |" : "1 or 0 each", known_items(out),
                         items.count, items.word, out.names.size(), sizes_text(out));
  return out;
}

}  // namespace dshn::data
