#include "dshn/tune/importance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tune/toy_study.hpp"

namespace dshn::tune {
namespace {

using test::finished_trial;
using test::numbers;

/// All configurations of a 4 x 4 x 4 grid under 3a + b: the shares of variance are 9 to 1 to 0.
std::vector<Trial> full_grid(const SearchSpace& space) {
  std::vector<Trial> trials;
  for (std::uint64_t i = 0; i < size_of(space); ++i) {
    const Configuration configuration = configuration_at(space, i);
    trials.push_back(finished_trial(static_cast<int>(i), assignments(space, configuration),
                                    {3.0 * configuration[0] + configuration[1]}));
  }
  return trials;
}

TEST(Importance, IsTheShareOfTheVariance) {
  const SearchSpace space{numbers("nothing", 4), numbers("little", 4), numbers("much", 4)};
  std::vector<Trial> trials = full_grid({numbers("much", 4), numbers("little", 4), numbers("nothing", 4)});

  const auto result = importances(space, trials);

  ASSERT_EQ(result.size(), 3U);
  EXPECT_EQ(result[0].name, "much");
  EXPECT_EQ(result[1].name, "little");
  EXPECT_EQ(result[2].name, "nothing");
  // 64 configurations, 4 groups: SS_total 800, between 720 and 80, MS_within 80/60 and 720/60.
  EXPECT_NEAR(*result[0].share, (720.0 - 3 * 80.0 / 60) / 800, 1e-12);
  EXPECT_NEAR(*result[1].share, (80.0 - 3 * 720.0 / 60) / 800, 1e-12);
  EXPECT_EQ(*result[2].share, 0);
}

TEST(Importance, CountsNoTrialWhereAParameterIsIdle) {
  const SearchSpace space{numbers("a", 40), {"b", {"x", "y"}, {"c=off"}}, {"c", {"on", "off"}}};
  std::vector<Trial> trials;
  for (int i = 0; i < 40; ++i) {
    const bool off = i < 20;  // bad, with b at its first value: without it b explains nothing
    trials.push_back(finished_trial(i, assignments(space, {i, off ? 0 : i % 2, off ? 1 : 0}),
                                    {off ? 0.0 : 1.0 + 0.1 * (i / 2 % 2)}));
  }

  for (const auto& [name, share] : importances(space, trials)) {
    if (name == "b") {
      EXPECT_LT(share.value_or(0), 1e-9);
    }
    if (name == "c") {
      EXPECT_GT(*share, 0.9);
    }
  }
}

TEST(Importance, CountsCompletedTrialsOnly) {
  const SearchSpace space{numbers("much", 4), numbers("little", 4), numbers("nothing", 4)};
  std::vector<Trial> trials = full_grid(space);
  const double before = *importances(space, trials)[0].share;
  trials.push_back(finished_trial(64, trials[0].set, {1000}, TrialState::pruned));
  trials.push_back(finished_trial(65, trials[0].set, {}, TrialState::failed));

  EXPECT_EQ(*importances(space, trials)[0].share, before);
}

TEST(Importance, IsNotToldFromFewerThanTwentyTrials) {
  const SearchSpace space{numbers("a", 2)};
  std::vector<Trial> trials;
  for (int i = 0; i < 19; ++i) {
    const int value = i % 2;
    trials.push_back(finished_trial(i, assignments(space, {value}), {0.1 * value + 0.01 * (i % 3)}));
  }
  trials.push_back(finished_trial(19, trials[0].set, {0.5}, TrialState::pruned));

  EXPECT_FALSE(importances(space, trials)[0].share);
  trials.push_back(finished_trial(20, trials[0].set, {0}));
  EXPECT_GT(importances(space, trials)[0].share.value_or(0), 0.5);
}

TEST(Importance, IsNotToldFromTooFewTrials) {
  const SearchSpace space{numbers("a", 4)};
  const std::vector<Trial> trials{finished_trial(0, {{"a", "0"}}, {0.1}),
                                  finished_trial(1, {{"a", "1"}}, {0.2})};

  EXPECT_FALSE(importances(space, trials)[0].share);
  EXPECT_FALSE(importances(space, {})[0].share);
}

}  // namespace
}  // namespace dshn::tune
