#include "io/text_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "io/text_words.hpp"

namespace dshn::io {
namespace {

constexpr std::int64_t kMostRange = std::int64_t{1} << 24;

}  // namespace

std::optional<Role> parse_role(std::string_view text) {
  const std::string word = lower(text);
  if (is_one_of(word, {"tail", "source", "from", "reactant", "sender"})) return Role::tail;
  if (is_one_of(word, {"head", "target", "to", "product", "recipient"})) return Role::head;
  return std::nullopt;
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
      const bool too_many = next->fields.size() > columns.count && !columns.attributes;
      if (next->fields.size() < 2 || too_many) {
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
  if (std::exchange(has_range_, true))
    table.fail(line, fmt::format("'#% {}s' stands here for the second time; expected it once", what_));
  for (std::int64_t i = 0; i < count; ++i) listed_.push_back(table_.intern(i));
}

TextIds::Numbering TextIds::numbering() const {
  const std::vector<Index> order = table_.order(listed_);
  Numbering out{std::vector<Index>(order.size()), table_.names(order)};
  for (std::size_t i = 0; i < order.size(); ++i) out.final_id[order[i]] = static_cast<Index>(i);
  return out;
}

double parse_weight(const Table& table, std::int64_t line, const Field& field, Topic topic) {
  double value = 0;
  if (!parse_number(field.text, value) || !std::isfinite(value) || value <= 0) {
    table.fail(line, fmt::format("'{}' is not a weight, a finite number above 0", field.text),
               std::move(topic));
  }
  return value;
}

}  // namespace dshn::io
