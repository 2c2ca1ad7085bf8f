#pragma once

#include "dshn/train/cost_model.hpp"
#include "dshn/train/experiment.hpp"

namespace dshn::train {

/// Nodes, hyperedges and incidences together: what the memory of a training grows with.
double size_of(const Extent& extent);

Extent extent_of(const Hypergraph& hypergraph);

/// The same model with the same options on made-up data of about this extent, on the CPU: as many entries of features
/// in a row, the same shares of items in each part of the first split, as many columns and classes, and weights, roles
/// and features of hyperedges where the experiment has them.
Experiment made_like(const Experiment& experiment, const Extent& extent);

}  // namespace dshn::train
