#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/array_checks.hpp"

namespace dshn::data {

/// What an array says of each item.
struct Targets {
  TargetKind kind = TargetKind::classes;
  std::vector<Index> labels;   // as in Dataset
  std::vector<double> values;  // as in Dataset
  Index count = 0;             // classes that occur, labels or columns of numbers

  /// Whether the target of each item is known.
  std::vector<bool> known() const;
};

/// The kind that is asked for; else the one that the array named `marker` says; else by type and shape: two
/// columns or more of 0 and 1 (-1 or NaN where they are not known) are labels, floating-point numbers and other
/// columns are numbers, and the rest are classes.
TargetKind kind_of(const io::Arrays& arrays, const std::string& name, const std::string& marker,
                   std::optional<TargetKind> asked, const std::string& where);

/// InvalidInput, its message beginning with `where` and naming the array, where it is not of the kind. An item of
/// which one number is missing has none.
Targets targets_in(const io::Array& y, TargetKind kind, const std::string& name, const Items& items,
                   const std::string& where);

/// InvalidInput where the model was trained on targets of another kind.
void check_like(const std::optional<DataCode>& like, TargetKind kind, const std::string& where);

}  // namespace dshn::data
