#include "data/class_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "data/column_codes.hpp"
#include "dshn/base/error.hpp"
#include "dshn/io/table.hpp"

namespace dshn::data {
namespace {

/// Beyond so many, classes that are more than half as many as the labels are no classes.
constexpr std::size_t kPlausibleClasses = 10;

/// Integers keep a fraction of zero where a program had to hold gaps among them: 1.0 is 1.
std::string_view without_zero_fraction(std::string_view cell) {
  const bool whole = cell.ends_with(".0") && io::looks_like_integer(cell.substr(0, cell.size() - 2));
  return whole ? cell.substr(0, cell.size() - 2) : cell;
}

bool all_integers(const std::vector<std::string>& words) {
  return std::ranges::all_of(words, [](const std::string& word) {
    std::int64_t ignored = 0;
    return io::looks_like_integer(word) && io::parse_number(word, ignored);
  });
}

std::int64_t integer_of(const std::string& word) {
  std::int64_t value = 0;
  io::parse_number(word, value);
  return value;
}

/// The classes in their order.
std::vector<std::string> distinct_words(const io::ItemTable& table, const io::TextColumn& column,
                                        const std::vector<std::int64_t>& rows) {
  std::unordered_set<std::string_view> seen;
  std::size_t labelled = 0;
  for (const std::int64_t row : rows) {
    if (row < 0 || column[row].empty()) continue;
    seen.insert(without_zero_fraction(column[row]));
    ++labelled;
  }
  if (seen.empty())
    throw InvalidInput(fmt::format("{}: column '{}' has no label for any item of the hypergraph", table.file,
                                   column.name()));
  if (seen.size() > kPlausibleClasses && 2 * seen.size() > labelled) {
    throw InvalidInput(
        fmt::format("{}: column '{}' has {} different labels in {} rows; expected classes that come "
                    "again",
                    table.file, column.name(), seen.size(), labelled),
        Topic{"many-classes"});
  }
  std::vector<std::string> words(seen.begin(), seen.end());
  std::ranges::sort(words);
  if (all_integers(words)) std::ranges::sort(words, {}, integer_of);
  return words;
}

/// "a 10, b 12".
std::string sizes_text(const CodedLabels& coded, const std::vector<std::string>& words) {
  std::vector<std::int64_t> sizes(words.size());
  for (const std::int64_t label : coded.labels) {
    if (label >= 0) ++sizes[static_cast<std::size_t>(label)];
  }
  std::vector<std::string> parts;
  for (std::size_t c = 0; c < words.size(); ++c) parts.push_back(fmt::format("{} {}", words[c], sizes[c]));
  return some_of(parts);
}

template <typename PlaceOf>
CodedLabels coded(const io::TextColumn& column, const std::vector<std::int64_t>& rows,
                  const PlaceOf& place_of) {
  CodedLabels out;
  out.labels.reserve(rows.size());
  for (const std::int64_t row : rows) {
    const std::string_view cell = row < 0 ? std::string_view() : without_zero_fraction(column[row]);
    out.labels.push_back(cell.empty() ? -1 : place_of(cell, row));
  }
  return out;
}

std::string note_on(const io::ItemTable& table, const io::TextColumn& column, const Items& items,
                    const std::vector<std::int64_t>& rows, const std::string& classes,
                    std::int64_t labelled) {
  std::vector<std::string> absent;
  for (Index item = 0; item < items.count; ++item) {
    if (rows[static_cast<std::size_t>(item)] < 0) absent.push_back(items.names->quoted(item));
  }
  std::string note = fmt::format("{}: column '{}' labels {} of {} {}s: {}", table.file, column.name(),
                                 labelled, items.count, items.word, classes);
  if (!absent.empty()) note += fmt::format("; without a row are {}: {}", absent.size(), some_of(absent));
  return note;
}

}  // namespace

CodedLabels code_labels(const io::ItemTable& table, const io::TextColumn& column, const Items& items) {
  const std::vector<std::int64_t> rows = rows_by_item(table, items.count);
  const std::vector<std::string> words = distinct_words(table, column, rows);
  std::unordered_map<std::string_view, std::int64_t> place;
  for (std::size_t c = 0; c < words.size(); ++c) place[words[c]] = static_cast<std::int64_t>(c);
  CodedLabels out = coded(column, rows, [&](std::string_view cell, std::int64_t) { return place.at(cell); });
  const bool plain = all_integers(words) && integer_of(words.front()) == 0 &&
                     integer_of(words.back()) == static_cast<std::int64_t>(words.size()) - 1;
  if (!plain) out.names = words;
  const auto labelled = std::ranges::count_if(out.labels, [](std::int64_t label) { return label >= 0; });
  out.note = note_on(table, column, items, rows,
                     fmt::format("{} classes ({})", words.size(), sizes_text(out, words)), labelled);
  return out;
}

CodedLabels code_labels_like(const io::ItemTable& table, const io::TextColumn& column, const Items& items,
                             const std::vector<std::string>& names) {
  const std::vector<std::int64_t> rows = rows_by_item(table, items.count);
  std::unordered_map<std::string_view, std::int64_t> place;
  for (std::size_t c = 0; c < names.size(); ++c) place[names[c]] = static_cast<std::int64_t>(c);
  CodedLabels out = coded(column, rows, [&](std::string_view cell, std::int64_t row) {
    if (const auto known = place.find(cell); known != place.end()) return known->second;
    std::int64_t number = -1;
    if (names.empty() && io::looks_like_integer(cell) && io::parse_number(cell, number) && number >= 0)
      return number;
    table.fail(row, fmt::format("class '{}' is not one that the model was trained on; known are {}", cell,
                                names.empty() ? "numbers from 0 on" : some_of(names)));
  });
  out.names = names;
  const auto labelled = std::ranges::count_if(out.labels, [](std::int64_t label) { return label >= 0; });
  out.note = note_on(table, column, items, rows, "classes as the model was trained on", labelled);
  return out;
}

}  // namespace dshn::data
