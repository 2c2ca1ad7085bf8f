#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "dshn/sheaf/directed_sheaf.hpp"

namespace dshn::sheaf {

struct LeadingOptions {
  /// How many eigenvectors, counted with their multiplicity.
  std::int64_t count = 16;
  /// |Q_N v - lambda v| is at most this, where |v| = 1; all lambda are in [0, 1].
  double tolerance = 1e-8;
  /// Restarts of the iteration before it gives up.
  std::int64_t max_restarts = 300;
};

struct LeadingEigenvectors {
  /// Descending.
  std::vector<double> values;
  /// Orthonormal, [n, d, planes, count]: signals, as DirectedSheaf takes them.
  at::Tensor vectors;
  /// Applications of the operator to one channel.
  std::int64_t products = 0;
};

/// The eigenvectors of Q_N with the largest eigenvalues: a block Krylov method with full reorthogonalisation and
/// thick restarts, without assembling. The block is as wide as `count`, so no multiplicity is missed. Small
/// matrices are solved densely.
///
/// The same bits in every call and for any number of threads: the starting block has a fixed seed, and each vector
/// is turned so that its entry of largest modulus (the first of those within 1e-6 of it, relatively) is real and
/// positive. Vectors of equal eigenvalues are one basis of their space among many.
///
/// UsageError for a count outside 1..nd and a tolerance that is not positive; Failure where the tolerance is not
/// reached.
LeadingEigenvectors leading_eigenvectors(const DirectedSheaf& sheaf, const LeadingOptions& options = {});

}  // namespace dshn::sheaf
