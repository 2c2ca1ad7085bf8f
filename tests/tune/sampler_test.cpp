#include "dshn/tune/sampler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "dshn/base/error.hpp"
#include "tune/toy_study.hpp"

namespace dshn::tune {
namespace {

using test::finished_trial;
using test::numbers;
using test::search;

/// Five ordered lists and two of words: 9^5 * 4 * 3 configurations.
SearchSpace toy_space() {
  SearchSpace space;
  for (const char* name : {"a", "b", "c", "d", "e"}) space.push_back(numbers(name, 9));
  space.push_back({"colour", {"red", "green", "blue", "white"}});
  space.push_back({"shape", {"round", "square", "flat"}});
  return space;
}

/// Largest, 0, at (1, 7, 4, 2, 6, blue, round): a sum of one function per parameter.
double toy_objective(const Configuration& configuration) {
  const std::vector<int> optimum{1, 7, 4, 2, 6};
  double value = 0;
  for (std::size_t i = 0; i < optimum.size(); ++i)
    value -= std::pow((configuration[i] - optimum[i]) / 8.0, 2);
  return value - (configuration[5] == 2 ? 0 : 0.3) - (configuration[6] == 0 ? 0 : 0.2);
}

double best_found(const std::string& sampler, std::uint64_t seed) {
  double best = -100;
  for (const Trial& trial : search(*make_sampler(sampler, seed), toy_space(), 60, toy_objective))
    best = std::max(best, trial.figure().mean);
  return best;
}

TEST(Tpe, FindsMoreThanChanceDoes) {
  int won = 0;
  double gained = 0;
  constexpr int kSeeds = 40;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const double tpe = best_found("tpe", seed);
    const double random = best_found("random", seed);
    won += tpe > random ? 1 : 0;
    gained += (tpe - random) / kSeeds;
  }

  // Were both alike, 35 wins of 40 would have probability 1e-6.
  EXPECT_GE(won, 35);
  EXPECT_GT(gained, 0.2);
}

TEST(Tpe, StartsAtRandom) {
  const SearchSpace space = toy_space();
  const auto tpe = search(*make_sampler("tpe", 3), space, 10, toy_objective);
  const auto random = search(*make_sampler("random", 3), space, 10, toy_objective);

  for (int i = 0; i < 10; ++i) EXPECT_EQ(tpe[i].set, random[i].set);
}

TEST(Tpe, GoesAnotherWayWhileAnotherWorkerIsAtAConfiguration) {
  const SearchSpace space = toy_space();
  const auto sampler = make_sampler("tpe", 5);
  std::vector<Trial> history = search(*sampler, space, 30, toy_objective);
  std::set<Configuration> proposed;
  for (int number = 30; number < 38; ++number) {
    const Configuration configuration = sampler->propose(space, history, number);
    proposed.insert(configuration);
    history.push_back(finished_trial(number, assignments(space, configuration), {}, TrialState::running));
  }

  EXPECT_EQ(proposed.size(), 8U);
}

TEST(Tpe, CountsAPendingTrialAsABadOne) {
  const SearchSpace space{{"word", {"a", "b", "c", "d", "e"}}, numbers("n", 200)};
  const auto good_if_a = [](const Configuration& configuration) { return configuration[0] == 0 ? 1.0 : 0.0; };
  const auto sampler = make_sampler("tpe", 1);
  std::vector<Trial> history = search(*sampler, space, 40, good_if_a);
  const auto share_of_a = [&] {
    int hits = 0;
    for (int number = 100; number < 200; ++number) hits += sampler->propose(space, history, number)[0] == 0;
    return hits;
  };
  const int before = share_of_a();
  for (int i = 0; i < 60; ++i) {
    history.push_back(finished_trial(40 + i, assignments(space, {0, 199 - i}), {}, TrialState::running));
  }

  EXPECT_GT(before, 80);
  EXPECT_LT(share_of_a(), before);
}

TEST(EverySampler, SaysTheSameWithTheSameSeedAndHistory) {
  const SearchSpace space = toy_space();
  for (const std::string& name : sampler_names()) {
    const auto first = search(*make_sampler(name, 7), space, 30, toy_objective);
    const auto second = search(*make_sampler(name, 7), space, 30, toy_objective);
    const auto other = search(*make_sampler(name, 8), space, 30, toy_objective);
    int different = 0;
    for (int i = 0; i < 30; ++i) {
      EXPECT_EQ(first[i].set, second[i].set) << name << i;
      different += first[i].set != other[i].set;
    }
    EXPECT_GT(different, 25) << name;
  }
}

TEST(EverySampler, TriesNoConfigurationTwice) {
  const SearchSpace space{numbers("a", 5), {"b", {"x", "y"}}, numbers("c", 3)};
  for (const std::string& name : sampler_names()) {
    std::set<Assignments> seen;
    const auto first_value = [](const Configuration& configuration) {
      return static_cast<double>(configuration[0]);
    };
    for (const Trial& trial : search(*make_sampler(name, 2), space, 30, first_value)) seen.insert(trial.set);
    EXPECT_EQ(seen.size(), 30U) << name;
  }
}

TEST(EverySampler, TriesNoModelTwiceWhereSomethingIsIdle) {
  // 4 + 1 models for each of 6 values: 30 of the 48 configurations.
  const SearchSpace space{numbers("a", 6), {"b", {"x", "y", "z", "w"}, {"c=off"}}, {"c", {"on", "off"}}};
  for (const char* name : {"tpe", "random"}) {
    std::set<Configuration> seen;
    const auto prefers_off = [](const Configuration& configuration) {
      return configuration[0] + 10.0 * configuration[2];
    };
    for (const Trial& trial : search(*make_sampler(name, 2), space, 30, prefers_off))
      seen.insert(without_idle(space, configuration_of(space, trial.set)));
    EXPECT_EQ(seen.size(), 30U) << name;
  }
}

TEST(Tpe, LearnsNothingAboutAParameterWhereItIsIdle) {
  // With c=on, y is good and x is not. With c=off, where b has no effect, the good trials happen to have x.
  const SearchSpace space{numbers("a", 200), {"b", {"x", "y"}, {"c=off"}}, {"c", {"on", "off"}}};
  std::vector<Trial> history;
  for (int i = 0; i < 40; ++i) {
    const bool good = i < 6;
    const int off = i % 2;
    const int y = off == 0 ? (good || i % 4 == 0 ? 1 : 0) : (good ? 0 : 1);
    history.push_back(finished_trial(i, assignments(space, {5 * i, y, off}), {good ? 1.0 : 0.0}));
  }
  int on = 0;
  int on_with_y = 0;
  for (int number = 40; number < 440; ++number) {
    const Configuration configuration = make_sampler("tpe", 4)->propose(space, history, number);
    if (configuration[2] == 1) continue;
    ++on;
    on_with_y += configuration[1];
  }

  ASSERT_GT(on, 50);
  EXPECT_GT(on_with_y, 0.9 * on);
}

TEST(MakeSampler, RefusesAnUnknownName) {
  EXPECT_THROW(make_sampler("annealing", 0), UsageError);
}

}  // namespace
}  // namespace dshn::tune
