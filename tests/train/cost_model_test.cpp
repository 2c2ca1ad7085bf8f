#include "dshn/train/cost_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/parts/divide.hpp"
#include "dshn/train/experiment.hpp"

namespace dshn::train {
namespace {

using testing::HasSubstr;

constexpr Extent kSome{100, 50, 400};

/// Numbers that can be added up by hand.
RankCost some_cost() {
  RankCost cost;
  cost.data_bytes = 1000;
  cost.training_bytes = 2000;
  cost.whole_bytes = 5000;
  cost.work = {.calls = 10, .bytes = 100, .products = 1000, .sweeps = 10000};
  cost.exchanges = 4;
  cost.bytes_of_cut = 64;
  cost.widest_row = 16;
  cost.gradient_bytes = 300;
  return cost;
}

constexpr Rates kRates{.call = 1,
                       .byte = 0.1,
                       .product = 0.01,
                       .sweep = 0.001,
                       .exchange = 2,
                       .peer = 0.5,
                       .local_byte = 0.25,
                       .own_bytes = 7};

TEST(Plan, OfOneRankIsItsWork) {
  const Plan plan = make_plan(some_cost(), kSome, {}, {.memory_bytes = 6014}, kRates);

  EXPECT_DOUBLE_EQ(plan.work_seconds, 10 + 10 + 10 + 10);
  EXPECT_EQ(plan.message_seconds, 0);
  EXPECT_EQ(plan.row_bytes, 0);
  EXPECT_EQ(plan.gradient_bytes, 0);
  EXPECT_EQ(plan.machine_bytes, 7 + 1000 + 2000);
  ASSERT_FALSE(plan.limits.empty());
  EXPECT_EQ(plan.limits[0].what, "memory of a machine");
  EXPECT_DOUBLE_EQ(plan.limits[0].share(), 0.5);
}

TEST(Plan, CountsCoresAndThreads) {
  const auto work = [](const Fleet& fleet) {
    return make_plan(some_cost(), kSome, {}, fleet, kRates).work_seconds;
  };
  EXPECT_DOUBLE_EQ(work({.threads = 2}), 20);
  EXPECT_DOUBLE_EQ(work({.threads = 2, .cores = 1}), 40);
  EXPECT_DOUBLE_EQ(work({.ranks = 4, .cores = 2}), 80);
  EXPECT_DOUBLE_EQ(work({.ranks = 4, .machines = 2, .cores = 2}), 40);
}

TEST(Plan, OfRanksOfOneMachineAddsTheirMessages) {
  const Plan plan = make_plan(some_cost(), kSome, {.cut = 10, .imbalance = 0.5}, {.ranks = 2}, kRates);

  EXPECT_EQ(plan.rank.nodes, 75);
  EXPECT_EQ(plan.rank.hyperedges, 45);
  EXPECT_EQ(plan.rank.incidences, 300);
  EXPECT_EQ(plan.row_bytes, 640);
  EXPECT_EQ(plan.gradient_bytes, 300);
  EXPECT_EQ(plan.link_bytes, 0);
  // Half of the rows, half as much more, and 300 bytes around a ring of two.
  const double bytes = 320 * 1.5 + 300;
  const double waits = 4 * (2 + 0.5) + 2 * 0.5;
  EXPECT_DOUBLE_EQ(plan.message_seconds, waits + 0.25 * bytes);
  EXPECT_DOUBLE_EQ(plan.rank_bytes, 7 + 1000 + 2000 + 2 * 16 * 5 * 1.5);
  EXPECT_DOUBLE_EQ(plan.cutting_bytes, 7 + 5000 + 2 * 1000);
}

TEST(Plan, OfTwoMachinesSendsOverTheLink) {
  const Fleet fleet{.ranks = 4, .machines = 2, .bits_per_second = 80, .latency_seconds = 3};
  const Plan plan = make_plan(some_cost(), kSome, {.cut = 12}, fleet, kRates);

  const double of_rank = 12 * 64 / 4.0 + 2 * 300 * 3 / 4.0;
  // Two of three others are on the other machine, and two ranks share a link.
  EXPECT_DOUBLE_EQ(plan.link_bytes, of_rank * 2 / 3 * 2);
  const double waits = 4 * (2 + 3 * 0.5) + 6 * 0.5;
  EXPECT_NEAR(plan.message_seconds, waits + of_rank / 3 * 0.25 + plan.link_bytes / 10 + 3 * (4 + 6), 1e-9);
}

TEST(Plan, GivesMoreRanksLessMemoryAndMoreMessages) {
  Settings settings;
  settings.model = "hgnn";
  settings.splits = 1;
  settings.device = "cpu";
  const Experiment like = made_up(settings, 8, 3, 1);
  const Extent whole{1e6, 1e6, 5e6};
  Plan before;
  for (const int ranks : {1, 2, 4, 8, 64}) {
    SCOPED_TRACE(ranks);
    const Division division{.cut = ranks > 1 ? 1e4 : 0};
    const RankCost cost = rank_cost(like, whole, division, ranks);
    Plan plan = make_plan(cost, whole, division, {.ranks = ranks}, processor_rates());
    // The same rows are shared by more: what is left are waits and gradients.
    plan.message_seconds = make_plan(cost, whole, {}, {.ranks = ranks}, processor_rates()).message_seconds;
    if (ranks > 1) {
      EXPECT_LT(plan.rank_bytes, before.rank_bytes);
      EXPECT_LT(plan.work_seconds, before.work_seconds);
      EXPECT_GT(plan.message_seconds, before.message_seconds);
    }
    before = plan;
  }
}

TEST(Plan, GrowsWithTheData) {
  Settings settings;
  settings.model = "dshn";
  settings.splits = 1;
  settings.device = "cpu";
  const Experiment like = made_up(settings, 8, 3, 0.5);
  const auto cost = [&](double times) {
    return rank_cost(like, {times * 1e5, times * 1e5, times * 4e5}, {}, 1);
  };
  const RankCost one = cost(1);
  const RankCost ten = cost(10);
  EXPECT_NEAR(ten.training_bytes / one.training_bytes, 10, 0.5);
  EXPECT_NEAR(ten.data_bytes / one.data_bytes, 10, 0.1);
  EXPECT_NEAR(ten.work.bytes / one.work.bytes, 10, 0.5);
  EXPECT_NEAR(ten.work.sweeps / one.work.sweeps, 10, 0.5);
  EXPECT_EQ(ten.work.calls, one.work.calls);
  EXPECT_EQ(ten.bytes_of_cut, one.bytes_of_cut);
}

TEST(Plan, NamesTheLimitThatIsNext) {
  const auto next = [](const Extent& whole, const Division& division, const Fleet& fleet) {
    return make_plan(some_cost(), whole, division, fleet, kRates).limits.front();
  };
  const Limit ids = next({3e9, 1e6, 4e9}, {}, {});
  EXPECT_THAT(ids.what, HasSubstr("32-bit"));
  EXPECT_DOUBLE_EQ(ids.most, 2147483647);
  EXPECT_GT(ids.share(), 1);
  EXPECT_EQ(next(kSome, {}, {.memory_bytes = 100}).what, "memory of a machine");
  EXPECT_EQ(next(kSome, {.cut = 40}, {.ranks = 2, .machines = 2, .bits_per_second = 1}).what,
            "network: messages beside work");
  EXPECT_EQ(next({1e9, 1e9, 2e9}, {.by_metis = true}, {.ranks = 2}).what, "32-bit numbers of METIS");
}

TEST(Plan, RefusesWhatCannotBe) {
  const auto refuses = [](const Extent& whole, const Division& division, const Fleet& fleet) {
    EXPECT_THROW(make_plan(some_cost(), whole, division, fleet, kRates), UsageError);
  };
  refuses({0, 1, 1}, {}, {});
  refuses({2, 2, 5}, {}, {});
  refuses(kSome, {}, {.ranks = 0});
  refuses(kSome, {}, {.ranks = 2, .machines = 3});
  refuses(kSome, {.cut = 1}, {.ranks = 1});
  refuses(kSome, {.cut = 51}, {.ranks = 2});
  refuses(kSome, {.cut = 401}, {.ranks = 64});
  refuses(kSome, {.cut = -1}, {.ranks = 2});
  refuses(kSome, {.imbalance = -0.1}, {.ranks = 2});
  refuses(kSome, {}, {.bits_per_second = 0});
}

TEST(RandomCut, IsThatOfNodesThatAreDealtOut) {
  EXPECT_DOUBLE_EQ(random_cut({10, 4, 8}, 2), 4 * 0.5);  // two members are in two parts half of the time
  EXPECT_EQ(random_cut({10, 4, 4}, 8), 0);
  EXPECT_EQ(random_cut({10, 4, 8}, 1), 0);
  RandomOptions options;
  options.nodes = 2000;
  options.hyperedges = 3000;
  options.size_law = SizeLaw::fixed;
  options.mean_size = 4;
  const Hypergraph drawn = random_hypergraph(options);
  const parts::Cut cut = parts::measure(drawn, parts::divide(drawn, 8, parts::Method::random, 3));
  const double said = random_cut({2000, 3000, 12000}, 8);
  EXPECT_NEAR(static_cast<double>(cut.traffic) / said, 1, 0.02);
}

TEST(RankCost, RefusesARule) {
  Settings settings;
  settings.model = "majority";
  settings.splits = 1;
  settings.device = "cpu";
  EXPECT_THROW(rank_cost(made_up(settings, 1, 2, 1), kSome, {}, 2), UsageError);
}

}  // namespace
}  // namespace dshn::train
