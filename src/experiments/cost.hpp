#pragma once

#include <cstdint>
#include <functional>

#include "dshn/base/options.hpp"
#include "dshn/models/model.hpp"

/// What a training step costs: as the paper counts it, and as it is done here.
namespace dshn::experiments {

/// Options as which a model has the paper's number of parameters: four layers of DSHN and DSHNLight, else the defaults.
Assignments counted_options(const std::string& model);

std::int64_t parameter_count(const models::Model& model);

/// Sizes that the paper's count of operations depends on.
struct CostSizes {
  double nodes = 0;
  double edges = 0;
  double incidences = 0;
  double features = 0;
};

/// Operations per epoch as the paper's column has them, for its configuration (d = 4, width 64, four layers,
/// diagonal maps rebuilt at each layer). The paper gives no formula: this one is fitted to its twelve rows of
/// DSHNLight and ten of DSHN, and meets each within 0.35 %. The large terms can be read as follows,
///
///   DSHNLight   12 . 2 (d n)^2 f + 28 (d n)^2     the operator as a dense (d n) x (d n) matrix: four layers,
///                                                 forward and twice backward, and 28 element-wise touches
///   both        (2 n + m) . 2 . 2 f_in d f        the lift of nodes (both planes) and hyperedges
///
/// while n^2 of DSHN and the terms per node and per incidence (weights, classifier, map predictor) are plain
/// fits.
double dense_equivalent_flops(bool light, const CostSizes& sizes);

/// Real additions and multiplications of the work, counted operator by operator while it runs: products of
/// matrices, and sums over members with their maps and phases. Element-wise operations are not counted.
double count_operations(const std::function<void()>& work);

}  // namespace dshn::experiments
