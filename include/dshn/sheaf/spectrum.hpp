#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "dshn/sheaf/directed_sheaf.hpp"
#include "dshn/sheaf/spectral_density.hpp"

namespace dshn::sheaf {

enum class End : std::uint8_t { smallest, largest };

struct SpectrumOptions {
  Form form = Form::L_N;
  End end = End::smallest;
  /// How many eigenvalues, counted with their multiplicity.
  std::int64_t count = 1;
  /// An eigenpair has converged when |A v - lambda v| <= tolerance * spectral_bound, with |v| = 1.
  double tolerance = 1e-8;
  /// Restarts of the Lanczos method, in each of its runs.
  std::int64_t max_restarts = 1000;
  /// Of the starting vectors.
  std::uint64_t seed = 0;
};

struct Eigenpairs {
  /// From the chosen end inwards. Fewer than asked for when the method gave up.
  std::vector<double> values;
  /// |A v - lambda v| for each.
  std::vector<double> residuals;
  /// Orthonormal, [n, d, planes, values]: signals, as DirectedSheaf takes them.
  at::Tensor vectors;
  /// Whether all that were asked for were found, with residuals within the tolerance.
  bool converged = false;
  /// Applications of the operator to one channel.
  std::int64_t products = 0;
};

/// Whether this build has Spectra and Eigen.
bool has_spectrum();

/// Eigenvalues at one end of the spectrum, without assembling: Lanczos with restarts (Spectra) on the real form
/// [[Re, -Im], [Im, Re]] of the Hermitian operator, which is what it does to the planes of a signal. In that
/// form every eigenvalue comes twice, for v and for i v; vectors that depend on ones already found are
/// dropped. Krylov spaces are blind to true multiplicity, so what was found is projected out and the rest
/// searched again until nothing before the last eigenvalue is left. Small matrices are solved densely.
/// UsageError for a count outside 1..nd; Failure in a build without Spectra.
Eigenpairs extreme_eigenpairs(const DirectedSheaf& sheaf, const SpectrumOptions& options);

/// The spectrum of L_N for a picture: all eigenvalues of a small sheaf in a build with Spectra, else their
/// density.
struct SpectrumOverview {
  std::vector<double> eigenvalues;
  SpectralDensity density;
};
SpectrumOverview spectrum_overview(const DirectedSheaf& sheaf);

}  // namespace dshn::sheaf
