#include "dshn/experiments/cell_figures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;

/// Two splits of two seeds, with half as many test as training items.
ordered_json small_cell() {
  ordered_json cell{{"items", {{"train", 100}, {"test", 50}}}};
  for (const auto& [seed, split, test] :
       std::vector<std::tuple<int, int, double>>{{100, 0, 80}, {100, 1, 82}, {101, 0, 84}, {101, 1, 90}})
    cell["splits"].push_back({{"seed", seed}, {"split", split}, {"test", test}, {"validation", test + 1}});
  return cell;
}

// As in the test of the interval: 84 with a variance of 14 and three degrees of freedom.
TEST(CellFigures, AreOverTheSplitsOfAllSeeds) {
  const ordered_json cell = with_figures(small_cell());

  EXPECT_DOUBLE_EQ(cell["test"]["mean"], 84);
  EXPECT_DOUBLE_EQ(cell["test"]["std"], std::sqrt(56 / 3.0));
  EXPECT_EQ(cell["test"]["n"], 4);
  EXPECT_NEAR(cell["test"]["interval"][0], 84 - 3.182446 * std::sqrt(14.0), 1e-5);
  EXPECT_DOUBLE_EQ(cell["validation"]["mean"], 85);
  EXPECT_FALSE(cell.contains("difference"));
}

TEST(CellFigures, StandBesideThePapers) {
  ordered_json cell = small_cell();
  cell["paper"] = {{"mean", 40.0}, {"std", 2.0}};
  EXPECT_DOUBLE_EQ(with_figures(cell)["difference"]["mean"], 44);
  EXPECT_EQ(with_figures(cell)["difference"]["word"], "above");

  cell["paper"]["mean"] = 83.0;
  EXPECT_EQ(with_figures(cell)["difference"]["word"], "not distinguishable");
  EXPECT_EQ(with_figures(cell)["difference"]["sign"], "mean above");
  cell["paper"]["mean"] = 84.0;
  EXPECT_EQ(with_figures(cell)["difference"]["sign"], "same mean");
  cell["paper"]["mean"] = 85.0;
  EXPECT_EQ(with_figures(cell)["difference"]["sign"], "mean below");

  cell["paper"] = {{"mean", 83.0}};  // read from a plot
  EXPECT_FALSE(with_figures(cell)["difference"].contains("word"));
  cell["paper"] = "out of memory";
  EXPECT_FALSE(with_figures(cell).contains("difference"));
}

TEST(CellFigures, OfVersionOneAreBroughtToOneLessThanTheirNumber) {
  const ordered_json old{{"request", {{"splits", 4}, {"seed", 7}}},
                         {"test", {{"mean", 84.0}, {"std", std::sqrt(14.0)}}},
                         {"splits", {80.0, 82.0, 84.0, 90.0}}};

  const ordered_json cell = with_figures(old);

  EXPECT_DOUBLE_EQ(cell["test"]["std"], std::sqrt(56 / 3.0));
  EXPECT_FALSE(cell["test"].contains("interval")) << "the sizes of the parts were not stored";
  EXPECT_EQ(with_figures(cell), cell);
  EXPECT_EQ(split_figures(cell)[3].seed, 7U);
  EXPECT_EQ(split_figures(cell)[3].split, 3);
  EXPECT_EQ(split_figures(cell)[3].test, 90);
}

TEST(CellFigures, OfOneSplitHaveNoDeviation) {
  ordered_json cell = small_cell();
  cell["splits"].erase(cell["splits"].begin() + 1, cell["splits"].end());
  cell["paper"] = {{"mean", 40.0}, {"std", 2.0}};

  cell = with_figures(cell);

  EXPECT_EQ(cell["test"], (ordered_json{{"mean", 80.0}, {"n", 1}}));
  EXPECT_EQ(cell["difference"], (ordered_json{{"mean", 40.0}, {"sign", "mean above"}}));
}

}  // namespace
}  // namespace dshn::experiments
