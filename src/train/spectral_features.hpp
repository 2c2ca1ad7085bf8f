#pragma once

#include "dshn/data/feature_matrix.hpp"

namespace dshn::train {

/// The part FeatureKind::spectral of node features: the leading eigenvectors of Q_N at a charge, with trivial maps,
/// times the root of the number of nodes. Their real parts come first, then their imaginary parts, of which there
/// are none where the charge is 0 or nothing has a direction.
///
/// On the CPU in double precision, whatever device trains. Made once per process for as long as the hypergraph
/// lives, however many handles on it ask, from any thread. UsageError for more columns than nodes.
data::Features spectral_features(const Hypergraph& hypergraph, Index columns, double charge);

}  // namespace dshn::train
