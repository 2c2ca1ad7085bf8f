#include "dshn/sheaf/spectral_density.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"
#include "dshn/sheaf/spectrum.hpp"
#include "sheaf/blocks.hpp"

namespace dshn::sheaf {
namespace {

using std::numbers::pi;

/// The interval of the spectrum, a little widened since Chebyshev polynomials explode outside of it.
struct Interval {
  double centre;
  double radius;

  explicit Interval(double bound) : centre(bound / 2), radius(bound > 0 ? 0.505 * bound : 1.0) {}
};

void check(const DirectedSheaf& sheaf, const DensityOptions& options) {
  if (sheaf.dimension() == 0) throw UsageError("spectral density: the sheaf has no nodes");
  if (options.moments < 2)
    throw UsageError(fmt::format("moments: expected at least 2, got {}", options.moments));
  if (options.probes < 1)
    throw UsageError(fmt::format("probes: expected at least 1, got {}", options.probes));
  if (options.points < 2)
    throw UsageError(fmt::format("points: expected at least 2, got {}", options.points));
}

at::Tensor random_signs(const DirectedSheaf& sheaf, const DensityOptions& options) {
  at::Tensor probes =
      at::zeros({sheaf.hypergraph().node_count(), sheaf.stalk_dimension(), sheaf.planes(), options.probes},
                at::kDouble);
  Random random(options.seed);
  const at::Tensor signs =
      at::empty({sheaf.hypergraph().node_count(), sheaf.stalk_dimension(), options.probes}, at::kDouble);
  auto* values = signs.data_ptr<double>();
  for (std::int64_t i = 0; i < signs.numel(); ++i) values[i] = random.below(2) == 0 ? -1.0 : 1.0;
  probes.select(2, 0).copy_(signs);
  return probes;
}

/// mu_k = trace T_k((A - centre)/radius) / nd, estimated.
std::vector<double> chebyshev_moments(const DirectedSheaf& sheaf, const DensityOptions& options,
                                      const Interval& interval) {
  const at::Tensor probes = random_signs(sheaf, options);
  const double share = 1.0 / static_cast<double>(sheaf.dimension() * options.probes);
  const auto scaled = [&](const at::Tensor& x) {
    return (sheaf.apply(options.form, x) - interval.centre * x) / interval.radius;
  };
  std::vector<double> moments;
  at::Tensor previous = probes;
  at::Tensor current = scaled(probes);
  for (std::int64_t k = 0; k < options.moments; ++k) {
    const at::Tensor products = blocks::column_products(probes, previous);
    double sum = 0;
    for (std::int64_t p = 0; p < options.probes; ++p) sum += products.data_ptr<double>()[p];
    moments.push_back(sum * share);
    at::Tensor next = 2 * scaled(current) - previous;
    previous = std::exchange(current, std::move(next));
  }
  return moments;
}

/// The Jackson kernel: damps the moments so that the truncated series stays nonnegative.
double jackson(std::int64_t k, std::int64_t count) {
  const double angle = pi / static_cast<double>(count + 1);
  const double phase = angle * static_cast<double>(k);
  return (static_cast<double>(count - k + 1) * std::cos(phase) + std::sin(phase) / std::tan(angle)) /
         static_cast<double>(count + 1);
}

}  // namespace

SpectralDensity spectral_density(const DirectedSheaf& sheaf, const DensityOptions& options) {
  check(sheaf, options);
  const Interval interval(sheaf.spectral_bound(options.form));
  std::vector<double> moments = chebyshev_moments(sheaf, options, interval);
  for (std::int64_t k = 0; k < options.moments; ++k) moments[k] *= jackson(k, options.moments);
  SpectralDensity result;
  for (std::int64_t i = 0; i < options.points; ++i) {
    // Midpoints of equal parts: the ends of the interval are singular.
    const double t = (2.0 * static_cast<double>(i) + 1) / static_cast<double>(options.points) - 1;
    double sum = moments[0];
    for (std::int64_t k = 1; k < options.moments; ++k)
      sum += 2 * moments[k] * std::cos(static_cast<double>(k) * std::acos(t));
    result.lambda.push_back(interval.centre + interval.radius * t);
    result.density.push_back(sum / (pi * std::sqrt(1 - t * t) * interval.radius));
  }
  return result;
}

SpectrumOverview spectrum_overview(const DirectedSheaf& sheaf) {
  constexpr std::int64_t kMostEigenvalues = 1000;
  if (sheaf.dimension() > kMostEigenvalues || !has_spectrum()) return {{}, spectral_density(sheaf)};
  SpectrumOptions options;
  options.count = sheaf.dimension();
  return {extreme_eigenpairs(sheaf, options).values, {}};
}

}  // namespace dshn::sheaf
