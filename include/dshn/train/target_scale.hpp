#pragma once

#include <vector>

namespace dshn::train {

/// By what numbers are made comparable for the loss: those of the training part of a split. Of each column; empty
/// for targets of another kind.
struct TargetScale {
  std::vector<double> centre, deviation;

  bool operator==(const TargetScale&) const = default;
};

}  // namespace dshn::train
