#include "dshn/experiments/significance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace dshn::experiments {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

// The tables of Student's t: what lies beyond it on both sides.
TEST(Student, HasTheTabulatedQuantiles) {
  EXPECT_NEAR(student_quantile(0.05, 1), 12.706, 5e-4);
  EXPECT_NEAR(student_quantile(0.05, 2), 4.303, 5e-4);
  EXPECT_NEAR(student_quantile(0.05, 9), 2.262, 5e-4);
  EXPECT_NEAR(student_quantile(0.01, 9), 3.250, 5e-4);
  EXPECT_NEAR(student_quantile(0.05, 30), 2.042, 5e-4);
  EXPECT_NEAR(student_quantile(0.05, 99), 1.984, 5e-4);
  EXPECT_NEAR(student_quantile(0.001, 120), 3.373, 5e-4);
  EXPECT_NEAR(student_quantile(0.05, 1e6), 1.960, 5e-4);
}

// With one degree of freedom t is Cauchy's, with two the tails are 1 - t / sqrt(2 + t^2).
TEST(Student, HasTheTailsThatAreKnownInClosedForm) {
  for (const double t : {0.0, 0.1, 1.0, 3.0, 40.0, -3.0}) {
    EXPECT_NEAR(student_tails(t, 1), 1 - 2 * std::atan(std::abs(t)) / std::numbers::pi, 1e-13);
    EXPECT_NEAR(student_tails(t, 2), 1 - std::abs(t) / std::sqrt(2 + t * t), 1e-13);
  }
  EXPECT_NEAR(student_tails(student_quantile(0.3, 7.5), 7.5), 0.3, 1e-12);
}

TEST(Sample, DividesByOneLessThanItsNumber) {
  const Sample sample = sample_of({80, 82, 84, 90});

  EXPECT_EQ(sample.n, 4);
  EXPECT_DOUBLE_EQ(sample.mean, 84);
  EXPECT_DOUBLE_EQ(*sample.std, std::sqrt((16 + 4 + 0 + 36) / 3.0));
  EXPECT_FALSE(sample_of({80}).std);
  EXPECT_EQ(sample_of({}).n, 0);
}

// n = 4, s^2 = 56 / 3, test to train 1 to 2: variance 56 / 3 (1 / 4 + 1 / 2) = 14; t of 3 is 3.182446.
TEST(Interval, KnowsThatSplitsOverlap) {
  const auto mean = estimate_mean(sample_of({80, 82, 84, 90}), 0.5);

  ASSERT_TRUE(mean);
  EXPECT_NEAR(mean->low, 84 - 3.182446 * std::sqrt(14.0), 1e-5);
  EXPECT_NEAR(mean->high, 84 + 3.182446 * std::sqrt(14.0), 1e-5);
  EXPECT_FALSE(estimate_mean(sample_of({80}), 0.5));
}

// s = 3 and 4, ten splits each, a third as many test as training items: variances 3.9 and 6.933333, together
// 10.833333; degrees of freedom 10.833333^2 / (3.9^2 / 9 + 6.933333^2 / 9) = 16.6914, whose t lies between the
// tabulated 2.1199 (16) and 2.1098 (17): 2.1128.
TEST(Difference, AddsTheVariancesOfTwoMeans) {
  const auto difference = estimate_difference({10, 90, 3}, {10, 80, 4}, 1.0 / 3);

  ASSERT_TRUE(difference);
  EXPECT_DOUBLE_EQ(difference->value, 10);
  EXPECT_NEAR(difference->low, 10 - 2.1128 * std::sqrt(10.833333), 5e-4);
  EXPECT_NEAR(difference->high, 10 + 2.1128 * std::sqrt(10.833333), 5e-4);
  EXPECT_EQ(word_for(*difference), "above");
  EXPECT_EQ(word_for(*estimate_difference({10, 80, 4}, {10, 90, 3}, 1.0 / 3)), "below");
  EXPECT_EQ(word_for(*estimate_difference({10, 85, 3}, {10, 80, 4}, 1.0 / 3)), "not distinguishable");
  EXPECT_FALSE(estimate_difference({10, 85, 3}, {.n = 10, .mean = 80}, 1.0 / 3));
}

TEST(Difference, OfFiguresThatNeverVaryIsCertain) {
  const auto difference = estimate_difference({10, 100, 0}, {10, 99, 0}, 0.5);

  EXPECT_EQ(difference->low, 1);
  EXPECT_EQ(difference->p, 0);
  EXPECT_EQ(estimate_difference({10, 99, 0}, {10, 99, 0}, 0.5)->p, 1);
}

// Four comparisons: 0.01 x 4, 0.02 x 3, 0.03 x 2 and 0.4 x 1, none smaller than the one before it.
TEST(Holm, MultipliesTheSmallestMost) {
  EXPECT_THAT(holm({0.03, 0.01, 0.4, 0.02}), ElementsAre(DoubleNear(0.06, 1e-12), DoubleNear(0.04, 1e-12),
                                                         DoubleNear(0.4, 1e-12), DoubleNear(0.06, 1e-12)));
  EXPECT_THAT(holm({0.6, 0.7}), ElementsAre(1, 1));
  EXPECT_THAT(holm({}), ElementsAre());
}

}  // namespace
}  // namespace dshn::experiments
