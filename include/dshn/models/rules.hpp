#pragma once

#include <vector>

#include "dshn/models/model.hpp"

namespace dshn::models {

/// A model that is not trained: what it knows it counts from the labels of the training items, once. It has
/// no parameters; what it counted are buffers, so that it is stored and read as other models are.
class Rule : public Model {
 public:
  /// `input` is what prepare() gave; `labels` has a class for each item, `training` names the items whose
  /// class may be looked at.
  virtual void fit(const Input& input, const std::vector<Index>& labels,
                   const std::vector<Index>& training) = 0;
};

}  // namespace dshn::models
