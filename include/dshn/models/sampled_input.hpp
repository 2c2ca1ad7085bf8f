#pragma once

#include "dshn/hypergraph/sample.hpp"
#include "dshn/models/model.hpp"

namespace dshn::models {

/// A sample of a hypergraph as an input, for models whose needs_whole() is empty: features and weights are those of
/// its items in the whole, sums count what each incidence stands for, and dropout and tables of items go by the numbers
/// in the whole. `whole` is on the CPU, and not prepared.
Input sampled_input(const Input& whole, const Sample& sample);

}  // namespace dshn::models
