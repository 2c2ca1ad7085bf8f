#pragma once

#include <string>
#include <vector>

#include "data/array_checks.hpp"
#include "dshn/data/code.hpp"
#include "dshn/data/feature_matrix.hpp"
#include "dshn/io/item_table.hpp"

namespace dshn::data {

/// Stands among the columns where some items have no row: its one word marks them.
inline constexpr const char* kNoRow = "(row)";

/// Rows of a table by item; -1 for an item without one.
std::vector<std::int64_t> rows_by_item(const io::ItemTable& table, Index count);

/// What a table became.
struct CodedTable {
  std::vector<ColumnCode> columns;
  Features features;
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
};

/// Makes features of the chosen columns, as code.hpp says; what they become depends on the items' values, not on
/// the order of the rows. A column of words that nearly all differ is left out, with a warning. InvalidInput
/// names the row of a value that does not fit its column.
CodedTable code_table(const io::ItemTable& table, const std::vector<const io::TextColumn*>& chosen,
                      const Items& items);

/// The same with the codes of another table, whose columns are found by name. InvalidInput where some are
/// missing.
CodedTable code_table_like(const io::ItemTable& table, const std::vector<const io::TextColumn*>& chosen,
                           const Items& items, const std::vector<ColumnCode>& like);

/// "a, b, c and 12 more".
std::string some_of(const std::vector<std::string>& words);

}  // namespace dshn::data
