// Figures of numbers and of labels, against their definitions.
#include "dshn/train/figures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/train/label_counts.hpp"
#include "dshn/train/number_errors.hpp"
#include "support/message_of.hpp"

namespace dshn::train {
namespace {

using test::message_of;
using ::testing::HasSubstr;

NumberErrors errors(const std::vector<std::vector<double>>& truth,
                    const std::vector<std::vector<double>>& predicted) {
  NumberErrors out(static_cast<std::int64_t>(truth[0].size()));
  for (std::size_t i = 0; i < truth.size(); ++i) out.add(truth[i].data(), predicted[i].data());
  return out;
}

TEST(NumberErrors, AreThoseOfTheDefinition) {
  // Errors 1, 0, -3 and 2; the mean of the true numbers is 4, their squared distances from it 9, 1, 1 and 9.
  const NumberErrors found = errors({{1}, {3}, {5}, {7}}, {{2}, {3}, {2}, {9}});

  EXPECT_EQ(found.items(), 4);
  EXPECT_DOUBLE_EQ(found.metric("rmse"), std::sqrt(14.0 / 4));
  EXPECT_DOUBLE_EQ(found.metric("mae"), 6.0 / 4);
  EXPECT_DOUBLE_EQ(found.metric("r2"), 1 - 14.0 / 20);
  EXPECT_THAT(message_of<UsageError>([&] { static_cast<void>(found.metric("accuracy")); }),
              HasSubstr("accuracy"));
}

TEST(NumberErrors, OfTheMeanHaveNoShareOfTheVariance) {
  EXPECT_DOUBLE_EQ(errors({{1}, {3}}, {{2}, {2}}).metric("r2"), 0);
  EXPECT_DOUBLE_EQ(errors({{5}, {5}}, {{5}, {5}}).metric("r2"), 1);
  EXPECT_DOUBLE_EQ(errors({{5}, {5}}, {{5}, {6}}).metric("r2"), 0);
  EXPECT_DOUBLE_EQ(NumberErrors(1).metric("r2"), 0);
}

TEST(NumberErrors, OfSeveralColumnsAreMeans) {
  const NumberErrors found = errors({{0, 0}, {2, 4}}, {{1, 0}, {2, 0}});

  EXPECT_DOUBLE_EQ(found.metric("r2"), ((1 - 1.0 / 2) + (1 - 16.0 / 8)) / 2);
  EXPECT_DOUBLE_EQ(found.metric("mae"), (0.5 + 2) / 2);
  EXPECT_DOUBLE_EQ(found.metric("rmse"), std::sqrt((1 + 16.0) / 4));
  EXPECT_EQ(found.to_json()["columns"][1]["mae"], 2.0);
}

TEST(LabelCounts, AreThoseOfTheDefinition) {
  LabelCounts found(3);
  const std::vector<std::vector<double>> truth{{1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 0}};
  const std::vector<std::vector<double>> predicted{{1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}};
  for (std::size_t i = 0; i < truth.size(); ++i) found.add(truth[i].data(), predicted[i].data());

  EXPECT_EQ(found.items(), 4);
  EXPECT_DOUBLE_EQ(found.precision(0), 2.0 / 3);
  EXPECT_DOUBLE_EQ(found.recall(0), 1);
  EXPECT_DOUBLE_EQ(found.f1(0), 0.8);
  EXPECT_DOUBLE_EQ(found.recall(1), 0.5);
  EXPECT_DOUBLE_EQ(found.f1(1), 2.0 / 3);
  EXPECT_DOUBLE_EQ(found.f1(2), 0);
  // Three labels are there and found, of four that were predicted and four that are true.
  EXPECT_DOUBLE_EQ(found.metric("micro-f1"), 6.0 / 8);
  EXPECT_DOUBLE_EQ(found.metric("macro-f1"), (0.8 + 2.0 / 3) / 2)
      << "the label that nobody has does not count";
  EXPECT_DOUBLE_EQ(found.metric("subset-accuracy"), 0.5);
  EXPECT_EQ(found.to_json()["labels"][0]["both"], 2);
}

TEST(Metrics, AreShownInTheirUnits) {
  EXPECT_EQ(figure_text(find_metric("accuracy"), 0.875), "87.50");
  EXPECT_EQ(figure_text(find_metric("r2"), 0.87654), "0.8765");
  EXPECT_EQ(figure_text(find_metric("rmse"), 1234.5), "1234");
  EXPECT_TRUE(find_metric("mae").lower_is_better);
  EXPECT_THAT(message_of<UsageError>([] { static_cast<void>(find_metric("auc")); }),
              HasSubstr("subset-accuracy"));
}

}  // namespace
}  // namespace dshn::train
