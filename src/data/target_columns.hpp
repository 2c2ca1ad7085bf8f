#pragma once

#include <string>
#include <vector>

#include "data/array_checks.hpp"
#include "dshn/io/item_table.hpp"

namespace dshn::data {

/// Numbers or labels of items, out of columns of a table.
struct CodedTargets {
  std::vector<double> values;      // a row of names.size() values for each item; NaN: not known
  std::vector<std::string> names;  // of the columns, or of the labels
  std::string note;
};

/// One number from each column. InvalidInput names the row of a value that is none. An item without one of its
/// numbers has none.
CodedTargets code_numbers(const io::ItemTable& table, const std::vector<const io::TextColumn*>& columns,
                          const Items& items);

/// One column: the labels of an item, separated by ';' or '|'; a separator alone says that it has none. Several
/// columns: 1 where an item has the label that the column is called by, else 0. `known` are the labels that a model
/// knows; empty: those that occur, in alphabetical order. InvalidInput names the row of what does not fit.
CodedTargets code_label_sets(const io::ItemTable& table, const std::vector<const io::TextColumn*>& columns,
                             const Items& items, const std::vector<std::string>& known);

}  // namespace dshn::data
