#pragma once

#include <vector>

#include "dshn/data/feature_matrix.hpp"

namespace dshn::data {

/// What standardising takes off each column and divides it by. A model that was trained on scaled features
/// needs the same scale again, whatever data it is given later.
struct FeatureScale {
  std::vector<double> centre;
  /// 0: the column was constant and becomes 0.
  std::vector<double> deviation;

  /// Leaves so many columns as they are.
  static FeatureScale none(Index cols) {
    return {std::vector<double>(cols, 0.0), std::vector<double>(cols, 1.0)};
  }

  Index cols() const { return static_cast<Index>(centre.size()); }
  bool changes(Index col) const { return centre[col] != 0 || deviation[col] != 1; }
  bool changes_any() const;
  FeatureScale columns(Index begin, Index end) const;
  void append(const FeatureScale& other);

  bool operator==(const FeatureScale&) const = default;
};

/// Mean and standard deviation of the columns that are wanted; the others stay as they are.
FeatureScale scale_of(const Features& features, const std::vector<bool>& wanted);

/// A dense matrix where any column changes, as what was 0 is 0 no longer.
Features scaled(const Features& features, const FeatureScale& scale);

/// Each column to mean 0 and variance 1. By rows and columns whatever it is given: a mean that is taken off leaves
/// few zeros.
Features standardised(const Features& features);

}  // namespace dshn::data
