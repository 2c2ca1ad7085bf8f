#include "tune/halving.hpp"

#include <gtest/gtest.h>

#include "tune/toy_study.hpp"

namespace dshn::tune {
namespace {

using test::finished_trial;

/// Trials with one figure each, in this order.
std::vector<Trial> after_one_split(const std::vector<double>& figures) {
  std::vector<Trial> trials;
  for (std::size_t i = 0; i < figures.size(); ++i)
    trials.push_back(finished_trial(static_cast<int>(i), {}, {figures[i]}, TrialState::running));
  return trials;
}

TEST(Halving, JudgesAfterPowersOfEtaAndNeverAtTheEnd) {
  const Halving halving{3};
  std::vector<int> rungs;
  for (int done = 1; done <= 10; ++done) {
    if (halving.is_rung(done, 10)) rungs.push_back(done);
  }
  EXPECT_EQ(rungs, (std::vector<int>{1, 3, 9}));
  EXPECT_FALSE(halving.is_rung(1, 1));
  EXPECT_FALSE(halving.is_rung(9, 9));
}

TEST(Halving, StopsWhoIsNotAmongTheBestThird) {
  // Of six, two go on.
  const auto trials = after_one_split({0.5, 0.9, 0.1, 0.8, 0.7, 0.2});
  std::vector<int> kept;
  for (int number = 0; number < 6; ++number) {
    if (!Halving{3}.hopeless(trials, number, 1)) kept.push_back(number);
  }
  EXPECT_EQ(kept, (std::vector<int>{1, 3}));
}

TEST(Halving, StopsNobodyBeforeThereIsAThird) {
  const auto trials = after_one_split({0.5, 0.1});
  EXPECT_FALSE(Halving{3}.hopeless(trials, 1, 1));
}

TEST(Halving, LetsTiesGoOn) {
  const auto trials = after_one_split({0.5, 0.5, 0.5, 0.5});
  for (int number = 0; number < 4; ++number) EXPECT_FALSE(Halving{3}.hopeless(trials, number, 1));
}

TEST(Halving, ComparesMeansOverTheSameSplits) {
  std::vector<Trial> trials{finished_trial(0, {}, {0.9, 0.1, 0.1}), finished_trial(1, {}, {0.2, 0.6, 0.9}),
                            finished_trial(2, {}, {0.3, 0.4, 0.5}, TrialState::running),
                            finished_trial(3, {}, {0.99}, TrialState::pruned)};

  // After three splits the means are 0.37, 0.57 and 0.4; the fourth trial never came there.
  EXPECT_TRUE(Halving{3}.hopeless(trials, 2, 3));
  trials[2].validation = {0.3, 0.9, 0.9};
  EXPECT_FALSE(Halving{3}.hopeless(trials, 2, 3));
}

}  // namespace
}  // namespace dshn::tune
