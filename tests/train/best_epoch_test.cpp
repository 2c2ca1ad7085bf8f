#include "train/best_epoch.hpp"

#include <gtest/gtest.h>

#include "dshn/train/settings.hpp"

namespace dshn::train {
namespace {

EpochRecord record(int epoch, double val, double val_loss) {
  EpochRecord made;
  made.epoch = epoch;
  made.val = val;
  made.val_loss = val_loss;
  return made;
}

/// The epoch that counts of a training with these (validation, validation loss) per epoch.
int best_of(const std::vector<std::pair<double, double>>& epochs, const char* metric = "accuracy") {
  SplitResult best;
  for (int epoch = 1; epoch <= static_cast<int>(epochs.size()); ++epoch) {
    const EpochRecord now = record(epoch, epochs[epoch - 1].first, epochs[epoch - 1].second);
    if (!is_better(now, best, find_metric(metric))) continue;
    best.best_epoch = epoch;
    best.val = now.val;
    best.val_loss = now.val_loss;
  }
  return best.best_epoch;
}

TEST(BestEpoch, HasTheHighestValidation) {
  EXPECT_EQ(best_of({{0.2, 1}, {0.9, 5}, {0.8, 0.1}}), 2);
}

TEST(BestEpoch, IsTheOneWithLowerLossAmongEquals) {
  EXPECT_EQ(best_of({{0.5, 2}, {0.5, 1}, {0.5, 3}}), 2);
}

TEST(BestEpoch, IsTheEarliestOfFullTies) {
  EXPECT_EQ(best_of({{0.4, 1}, {0.5, 2}, {0.5, 2}}), 2);
}

TEST(BestEpoch, IsTheFirstEvenAtZero) {
  EXPECT_EQ(best_of({{0.0, 9}}), 1);
}

TEST(BestEpoch, HasTheLowestErrorWhereLowerIsBetter) {
  EXPECT_EQ(best_of({{3, 1}, {1, 5}, {2, 0.1}}, "rmse"), 2);
  EXPECT_EQ(best_of({{-3, 1}, {0.5, 5}, {0.2, 0.1}}, "r2"), 2);
}

TEST(BestEpoch, PatienceCountsFromTheBest) {
  Settings settings;
  settings.set = {{"epochs", "100"}, {"patience", "10"}};
  const Options training = settings.training();
  EXPECT_FALSE(is_over(/*epoch=*/29, /*best_epoch=*/20, training));
  EXPECT_TRUE(is_over(/*epoch=*/30, /*best_epoch=*/20, training));
  EXPECT_FALSE(is_over(/*epoch=*/99, /*best_epoch=*/95, training));
  EXPECT_TRUE(is_over(/*epoch=*/100, /*best_epoch=*/100, training));
}

}  // namespace
}  // namespace dshn::train
