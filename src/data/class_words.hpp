#pragma once

#include <string>
#include <vector>

#include "data/array_checks.hpp"
#include "dshn/io/item_table.hpp"

namespace dshn::data {

/// The classes of a column of words.
struct CodedLabels {
  std::vector<std::int64_t> labels;  // by item; -1 where there is none
  std::vector<std::string> names;    // of the classes; empty where they are 0, 1, 2, ...
  std::string note;
};

/// Numbers the classes: by value where all are integers, else in alphabetical order. Gaps have no label.
/// InvalidInput where there is no label at all, or where nearly every row has a class of its own.
CodedLabels code_labels(const io::ItemTable& table, const io::TextColumn& column, const Items& items);

/// The same with given names, or without names as numbers from 0 on. InvalidInput names the row of a word that
/// is not among them.
CodedLabels code_labels_like(const io::ItemTable& table, const io::TextColumn& column, const Items& items,
                             const std::vector<std::string>& names);

}  // namespace dshn::data
