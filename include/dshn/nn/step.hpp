#pragma once

#include "dshn/nn/dropout.hpp"

namespace dshn::nn {

/// What a module needs to know of the step it is part of.
struct Step {
  bool training = false;
  MaskStream* masks = nullptr;  // needed when training

  at::Tensor drop(const at::Tensor& x, double p) const { return training ? dropout(x, p, *masks) : x; }
};

}  // namespace dshn::nn
