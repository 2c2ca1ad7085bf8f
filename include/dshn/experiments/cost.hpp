#pragma once

#include <cstdint>
#include <functional>

#include "dshn/models/model.hpp"

/// What a training step costs: as the paper counts it, and as it is done here.
namespace dshn::experiments {

std::int64_t parameter_count(const models::Model& model);

/// Sizes that the paper's count of operations depends on.
struct CostSizes {
  double nodes = 0;
  double edges = 0;
  double incidences = 0;
  double features = 0;
};

/// Operations per epoch as the paper's column has them, for its configuration (d = 4, width 64, four layers,
/// diagonal maps rebuilt at each layer). The paper gives no formula. We derived this one from its twelve
/// rows: the operator is counted as the dense (d n) x (d n) matrix that it is not,
///
///   DSHNLight   12 . 2 (d n)^2 f + 28 (d n)^2     four layers, forward and twice backward; 28 touches of it
///   DSHN        34,624 n^2                        the same and the gradients of the maps
///   both        (2 n + m) . 2 . 2 f_in d f        the lift of nodes (both planes) and hyperedges
///
/// and a rest per node and per incidence (weights, classifier, map predictor) whose two constants are fitted.
/// It meets every row of the paper within 0.35 %.
double dense_equivalent_flops(bool light, const CostSizes& sizes);

/// Real additions and multiplications of the work, counted operator by operator while it runs: products of
/// matrices, and sums over members with their maps and phases. Element-wise operations are not counted.
double count_operations(const std::function<void()>& work);

}  // namespace dshn::experiments
