#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "dshn/tune/sampler.hpp"
#include "tune/toy_study.hpp"

namespace dshn::tune {
namespace {

using test::finished_trial;
using test::numbers;

const SearchSpace kSpace{numbers("a", 9), numbers("b", 9), {"c", {"x", "y", "z"}}, {"d", {"only"}}};

TEST(Nearby, ChangesAFewOptionsOfTheBestTrial) {
  const std::vector<Trial> history{
      finished_trial(0, {{"a", "0"}, {"b", "0"}, {"c", "x"}, {"d", "only"}}, {0.2}),
      finished_trial(1, {{"a", "4"}, {"b", "8"}, {"c", "y"}, {"d", "only"}}, {0.9}),
      finished_trial(2, {{"a", "8"}, {"b", "0"}, {"c", "z"}, {"d", "only"}}, {0.5})};
  const Configuration best{4, 8, 1, 0};
  std::set<Configuration> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Configuration next = make_sampler("nearby", seed)->propose(kSpace, history, 3);
    EXPECT_NE(next, best);
    // Three changes of one step each at most, and none out of the list.
    EXPECT_LE(std::abs(next[0] - 4) + std::abs(next[1] - 8), 3);
    EXPECT_LE(next[1], 8);
    EXPECT_EQ(next[3], 0);
    seen.insert(next);
  }
  EXPECT_GT(seen.size(), 10U);
}

TEST(Nearby, FindsThePeakOfASmoothHillSoonerThanChance) {
  const SearchSpace space{numbers("a", 12), numbers("b", 12), numbers("c", 12)};
  const auto height = [](const Configuration& at) {
    return -std::abs(at[0] - 7) - std::abs(at[1] - 3) - std::abs(at[2] - 9);
  };
  const auto best_of = [&](const char* name, std::uint64_t seed) {
    double best = -1000;
    for (const Trial& trial : test::search(*make_sampler(name, seed), space, 30, height))
      best = std::max(best, trial.validation[0]);
    return best;
  };
  double nearby = 0;
  double chance = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    nearby += best_of("nearby", seed);
    chance += best_of("random", seed);
  }
  EXPECT_GT(nearby, chance);
}

TEST(Nearby, TriesNothingTwiceUntilAllIsTried) {
  const SearchSpace space{numbers("a", 3), {"c", {"x", "y"}}};
  std::set<Assignments> seen;
  for (const Trial& trial :
       test::search(*make_sampler("nearby", 5), space, 6, [](const Configuration& at) { return at[0]; }))
    seen.insert(trial.set);
  EXPECT_EQ(seen.size(), 6U);
}

}  // namespace
}  // namespace dshn::tune
