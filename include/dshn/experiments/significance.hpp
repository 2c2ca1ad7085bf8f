#pragma once

#include <optional>
#include <string>
#include <vector>

/// What a mean over splits is worth, and what the difference of two means is.
///
/// Splits of one data set overlap, so their figures depend on each other and the variance s^2 / n of a mean is
/// far too small. All estimates here use that of Nadeau and Bengio (Inference for the generalization error,
/// 2003), s^2 (1 / n + n_test / n_train), with Student's t of n - 1 degrees of freedom. Splits that are
/// published are taken for draws like any others.
namespace dshn::experiments {

/// Figures of n splits. The deviation has n - 1 below the line: one figure has none.
struct Sample {
  int n = 0;
  double mean = 0;
  std::optional<double> std = {};
};

Sample sample_of(const std::vector<double>& values);

/// A mean or a difference with its 95 % interval, and the two-sided probability of such a one where the true
/// one is zero.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
  double p = 1;
};

/// Of the mean. `test_per_train` is n_test / n_train of a split. Empty without a deviation.
std::optional<Estimate> estimate_mean(const Sample& sample, double test_per_train);

/// Of the difference of the means of two samples that have nothing to do with each other: their variances are
/// added, the degrees of freedom are those of Welch and Satterthwaite. Empty without both deviations.
std::optional<Estimate> estimate_difference(const Sample& ours, const Sample& theirs, double test_per_train);

/// "above", "below" or "not distinguishable", as zero lies below, above or in the interval.
std::string word_for(const Estimate& difference);

/// The probabilities after Holm's correction for as many comparisons, in the same order.
std::vector<double> holm(const std::vector<double>& probabilities);

/// Probability that Student's t is at least |t| away from zero.
double student_tails(double t, double freedom);
/// The t beyond which, on both sides together, lies the probability, which is neither 0 nor 1.
double student_quantile(double probability, double freedom);

}  // namespace dshn::experiments
