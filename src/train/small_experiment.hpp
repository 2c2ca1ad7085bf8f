#pragma once

#include "dshn/train/experiment.hpp"

namespace dshn::train {

/// Nodes, hyperedges and incidences together: what the memory of a training grows with.
double size_of(const Hypergraph& hypergraph);

/// The same model with the same options on made-up data, on the CPU: about one `divisor`-th of the nodes, hyperedges,
/// incidences, entries of features and items of each part of the first split; as many columns and classes, and
/// weights, roles and features of hyperedges where the experiment has them.
Experiment smaller(const Experiment& experiment, double divisor);

}  // namespace dshn::train
