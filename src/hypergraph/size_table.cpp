#include "hypergraph/size_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dshn/base/error.hpp"

namespace dshn {
namespace {

using Masses = std::vector<double>;  // entry i is proportional to the probability of size i + 1

double mean_of(const Masses& masses) {
  double total = 0;
  double weighted = 0;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    total += masses[i];
    weighted += masses[i] * static_cast<double>(i + 1);
  }
  return weighted / total;
}

Masses power_masses(double exponent, Index max_size) {
  Masses masses(max_size);
  for (Index s = 1; s <= max_size; ++s) masses[s - 1] = std::pow(static_cast<double>(s), -exponent);
  return masses;
}

/// The mean falls from (max_size + 1) / 2 to 1 as the exponent rises from 0.
Masses power_law_masses(double mean, Index max_size) {
  double low = 0;
  double high = 64;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (mean_of(power_masses(middle, max_size)) > mean ? low : high) = middle;
  }
  return power_masses(high, max_size);
}

Masses poisson_masses(double mean, Index max_size) {
  Masses masses(max_size, 0.0);
  const double rate = mean - 1;
  for (Index s = 1; s <= max_size; ++s) {
    const double k = s - 1;
    // In logarithms, since rate^k and k! overflow long before their quotient matters.
    masses[s - 1] =
        rate > 0 ? std::exp(k * std::log(rate) - rate - std::lgamma(k + 1)) : (s == 1 ? 1.0 : 0.0);
  }
  return masses;
}

Masses uniform_masses(Index from, Index to) {
  Masses masses(to, 0.0);
  std::fill(masses.begin() + (from - 1), masses.end(), 1.0);
  return masses;
}

void check_whole(double value, const char* what, double mean) {
  if (value != std::floor(value)) {
    throw UsageError(fmt::format("mean size {} does not suit {}", mean, what));
  }
}

void check_largest(double largest, Index max_size) {
  if (largest > max_size) {
    throw UsageError(
        fmt::format("hyperedges of up to {} members would exceed the greatest size {}", largest, max_size));
  }
}

Masses masses_of(SizeLaw law, double mean, Index max_size) {
  switch (law) {
    case SizeLaw::fixed:
      check_whole(mean, "hyperedges of one size; expected a whole number", mean);
      check_largest(mean, max_size);
      return uniform_masses(static_cast<Index>(mean), static_cast<Index>(mean));
    case SizeLaw::uniform:
      check_whole(2 * mean, "uniform sizes from 1; expected a whole number or a half", mean);
      check_largest(2 * mean - 1, max_size);
      return uniform_masses(1, static_cast<Index>(2 * mean - 1));
    case SizeLaw::poisson:
      check_largest(mean, max_size);
      return poisson_masses(mean, max_size);
    case SizeLaw::power_law:
      check_largest(2 * mean - 1, max_size);
      return power_law_masses(mean, max_size);
  }
  throw UsageError("no such size law");
}

}  // namespace

SizeTable::SizeTable(SizeLaw law, double mean, Index max_size) {
  if (!(mean >= 1 && std::isfinite(mean))) {
    throw UsageError(fmt::format("mean size {}; expected a number of at least 1", mean));
  }
  const Masses masses = masses_of(law, mean, max_size);
  cumulative_.resize(masses.size());
  std::partial_sum(masses.begin(), masses.end(), cumulative_.begin());
}

Index SizeTable::draw(Random& random) const {
  const double at = random.uniform() * cumulative_.back();
  const auto entry = std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, at);
  return static_cast<Index>(entry - cumulative_.begin()) + 1;
}

}  // namespace dshn
