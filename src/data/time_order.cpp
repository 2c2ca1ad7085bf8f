#include "data/time_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "data/column_codes.hpp"
#include "dshn/base/error.hpp"

namespace dshn::data {
namespace {

/// Whether the order of such texts is that of time: year, month and maybe day, with all their digits.
bool is_date(std::string_view text) {
  constexpr std::string_view kPattern = "0000-00-00";
  if (text.size() != 7 && text.size() < kPattern.size()) return false;
  for (std::size_t i = 0; i < std::min(text.size(), kPattern.size()); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kPattern[i] == '0' ? !digit : text[i] != '-') return false;
  }
  return text.size() <= kPattern.size() || text[kPattern.size()] == 'T' || text[kPattern.size()] == ' ';
}

/// Numbers the keys of the items that have one in ascending order.
template <typename Key>
std::vector<Index> ranked(const std::vector<std::pair<Key, std::size_t>>& items, std::size_t count) {
  std::map<Key, Index> places;
  for (const auto& [key, item] : items) places[key] = 0;
  Index next = 0;
  for (auto& [key, place] : places) place = next++;
  std::vector<Index> ranks(count, -1);
  for (const auto& [key, item] : items) ranks[item] = places.at(key);
  return ranks;
}

}  // namespace

std::vector<Index> time_ranks(const io::ItemTable& table, const io::TextColumn& column, const Items& items) {
  const std::vector<std::int64_t> rows = rows_by_item(table, items.count);
  std::vector<std::pair<double, std::size_t>> numbers;
  std::vector<std::pair<std::string_view, std::size_t>> dates;
  for (std::size_t item = 0; item < rows.size(); ++item) {
    const std::string_view cell = rows[item] < 0 ? std::string_view() : column[rows[item]];
    double value = 0;
    if (cell.empty()) continue;
    if (io::parse_cell(cell, value))
      numbers.emplace_back(value, item);
    else if (is_date(cell))
      dates.emplace_back(cell, item);
    else
      table.fail(rows[item],
                 fmt::format("'{}' in column '{}' is no time; expected a number or a date such as "
                             "2024-05-31",
                             cell, column.name()));
    if (!numbers.empty() && !dates.empty())
      table.fail(rows[item],
                 fmt::format("column '{}' has numbers and dates; expected one of them", column.name()));
  }
  if (numbers.empty() && dates.empty())
    throw InvalidInput(
        fmt::format("{}: column '{}' is empty; expected numbers or dates", table.file, column.name()));
  return dates.empty() ? ranked(numbers, rows.size()) : ranked(dates, rows.size());
}

}  // namespace dshn::data
