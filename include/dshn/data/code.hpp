#pragma once

#include <string>
#include <vector>

#include "dshn/data/target.hpp"

namespace dshn::data {

/// How one column of a table becomes columns of features, so that another table can be made into the same ones.
/// Numbers keep one column. Words get one each, 1 where the item has that word. Where the first table had gaps,
/// one more column is 1 where the value is missing.
struct ColumnCode {
  std::string name;
  /// The words that have a column, in its order; empty for a column of numbers.
  std::vector<std::string> words;
  /// What a missing number becomes: the mean of those that are there.
  double fill = 0;
  /// Whether there is a column that marks missing values.
  bool marks_missing = false;

  bool numeric() const { return words.empty(); }
  bool operator==(const ColumnCode&) const = default;
};

/// What must be known of a data set to read another one for the same model.
struct DataCode {
  /// The word for each class, as the data has it; empty where it has numbers from 0 on. Of targets of another
  /// kind: of each label, and of each column of numbers.
  std::vector<std::string> class_names;
  /// Of the tables that the features came from; empty where they came as matrices.
  std::vector<ColumnCode> node_columns;
  std::vector<ColumnCode> edge_columns;
  TargetKind target = TargetKind::classes;

  bool operator==(const DataCode&) const = default;
};

/// The names of the columns of features that the table becomes, in their order: "age", "town=Oslo",
/// "age is missing".
std::vector<std::string> feature_names(const std::vector<ColumnCode>& columns);

}  // namespace dshn::data
