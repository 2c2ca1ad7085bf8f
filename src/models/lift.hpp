#pragma once

#include "dshn/models/model.hpp"

namespace dshn::models {

/// The first product of a model: drop(x) weight^T [+ bias] of the nodes' features.
at::Tensor lift(const Input& input, const at::Tensor& weight, const at::Tensor& bias, const nn::Step& step,
                double dropout);

}  // namespace dshn::models
