#include "dshn/experiments/significance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace dshn::experiments {
namespace {

/// Intervals leave out so much.
constexpr double kOutside = 0.05;

/// The continued fraction of the incomplete beta function, by Lentz's method.
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  constexpr int kMostSteps = 10000;
  const auto nonzero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / nonzero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m <= kMostSteps; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double change = 1;
    for (const double step : {even, odd}) {
      d = 1 / nonzero(1 + step * d);
      c = nonzero(1 + step / c);
      change = c * d;
      fraction *= change;
    }
    if (std::abs(change - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return fraction;
}

/// The regularised incomplete beta function I_x(a, b).
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  // The fraction converges fast on this side of the mean only.
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/// The variance of a mean, and the degrees of freedom that it was estimated with.
struct Variance {
  double value = 0;
  double freedom = 1;
};

Variance variance_of_mean(const Sample& sample, double test_per_train) {
  return {*sample.std * *sample.std * (1.0 / sample.n + test_per_train), sample.n - 1.0};
}

Estimate estimate(double value, const Variance& variance) {
  if (variance.value == 0) return {value, value, value, value == 0 ? 1.0 : 0.0};
  const double deviation = std::sqrt(variance.value);
  const double half = deviation * student_quantile(kOutside, variance.freedom);
  return {value, value - half, value + half, student_tails(value / deviation, variance.freedom)};
}

}  // namespace

Sample sample_of(const std::vector<double>& values) {
  Sample sample{.n = static_cast<int>(values.size())};
  if (values.empty()) return sample;
  sample.mean = std::accumulate(values.begin(), values.end(), 0.0) / sample.n;
  if (sample.n == 1) return sample;
  double squares = 0;
  for (const double value : values) squares += (value - sample.mean) * (value - sample.mean);
  sample.std = std::sqrt(squares / (sample.n - 1));
  return sample;
}

std::optional<Estimate> estimate_mean(const Sample& sample, double test_per_train) {
  if (!sample.std) return std::nullopt;
  return estimate(sample.mean, variance_of_mean(sample, test_per_train));
}

std::optional<Estimate> estimate_difference(const Sample& ours, const Sample& theirs, double test_per_train) {
  if (!ours.std || !theirs.std) return std::nullopt;
  const Variance a = variance_of_mean(ours, test_per_train);
  const Variance b = variance_of_mean(theirs, test_per_train);
  Variance both{a.value + b.value};
  if (both.value > 0)
    both.freedom = both.value * both.value / (a.value * a.value / a.freedom + b.value * b.value / b.freedom);
  return estimate(ours.mean - theirs.mean, both);
}

std::string word_for(const Estimate& difference) {
  if (difference.low > 0) return "above";
  return difference.high < 0 ? "below" : "not distinguishable";
}

std::vector<double> holm(const std::vector<double>& probabilities) {
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return probabilities[a] < probabilities[b]; });
  std::vector<double> corrected(probabilities.size());
  double least = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto left = static_cast<double>(order.size() - i);
    least = std::max(least, std::min(1.0, left * probabilities[order[i]]));
    corrected[order[i]] = least;
  }
  return corrected;
}

double student_tails(double t, double freedom) {
  return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double student_quantile(double probability, double freedom) {
  double low = 0;
  double high = 1;
  while (student_tails(high, freedom) > probability) high *= 2;
  constexpr int kHalvings = 80;  // more than a double has digits
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (student_tails(middle, freedom) > probability ? low : high) = middle;
  }
  return high;
}

}  // namespace dshn::experiments
