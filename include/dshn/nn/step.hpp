#pragma once

#include "dshn/nn/dropout.hpp"
#include "dshn/ops/rectify.hpp"

namespace dshn::nn {

/// The last arguments of ops::rectify.
struct SkipAndDropout {
  ops::OptionalTensor skip;
  double p;
  ops::MaskKey key;
};

/// What a module needs to know of the step it is part of.
struct Step {
  bool training = false;
  MaskStream* masks = nullptr;  // needed when training

  at::Tensor drop(const at::Tensor& x, double p, Rows rows) const {
    return training ? dropout(x, p, rows, *masks) : x;
  }

  /// What ends a layer on a planar signal of the nodes: dropout(complex_relu(y + skip)); an undefined skip adds nothing.
  SkipAndDropout skip_and_dropout(const at::Tensor& skip, double p) const {
    const bool drops = training && p > 0;
    return {skip.defined() ? ops::OptionalTensor(skip) : ops::OptionalTensor(), drops ? p : 0,
            drops ? masks->next(Rows::nodes) : ops::MaskKey{}};
  }
};

}  // namespace dshn::nn
