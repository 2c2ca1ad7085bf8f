#pragma once

#include <cstdint>
#include <vector>

#include "dshn/sheaf/directed_sheaf.hpp"

namespace dshn::sheaf {

struct DensityOptions {
  Form form = Form::L_N;
  /// Chebyshev moments: the resolution is about pi/moments of the width of the spectrum.
  std::int64_t moments = 100;
  /// Random signals over which moments are averaged.
  std::int64_t probes = 16;
  std::int64_t points = 256;
  std::uint64_t seed = 0;
};

/// density integrates to 1 over lambda, which runs evenly over slightly more than [0, spectral_bound].
struct SpectralDensity {
  std::vector<double> lambda;
  std::vector<double> density;
};

/// How many eigenvalues lie where, by the kernel polynomial method (Jackson kernel, random signs as probes):
/// moments products with the operator, all probes at once. UsageError for counts below 2 moments, 1 probe, 2
/// points, or a sheaf without nodes.
SpectralDensity spectral_density(const DirectedSheaf& sheaf, const DensityOptions& options = {});

}  // namespace dshn::sheaf
