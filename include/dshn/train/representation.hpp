#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "dshn/train/load_model.hpp"

namespace dshn::train {

/// What a trained model makes of each item, seen from the side where it is widest.
struct Representation {
  /// What the rows were before: the input of the last layer, or class scores where a model has no such layer.
  std::string of;
  /// The two leading principal components of the rows, float64 [items, 2].
  at::Tensor plane;
  /// Shares of the variance that they hold.
  double first_share = 0;
  double second_share = 0;
};

/// Models that end in a linear layer are seen before that layer (Model::represent); the others at their scores,
/// each item's mean taken off.
Representation representation(const LoadedModel& loaded);

}  // namespace dshn::train
