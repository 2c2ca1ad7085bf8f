// Losses, and what outputs mean, against their definitions.
#include "dshn/train/objective.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "dshn/base/error.hpp"
#include "dshn/base/parallel.hpp"
#include "support/message_of.hpp"

namespace dshn::train {
namespace {

using data::TargetKind;
using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

at::Tensor rows(const std::vector<double>& values, std::int64_t columns) {
  return torch::tensor(values, torch::kDouble).view({-1, columns});
}

/// Three nodes with these values.
data::Dataset with_values(TargetKind kind, const std::vector<double>& values, Index columns) {
  data::Dataset dataset;
  const std::vector<Index> zero{0};
  const std::vector<Role> role{Role::tail};
  dataset.hypergraph = Hypergraph(static_cast<Index>(values.size()) / columns, 1, {zero, zero, role});
  dataset.code.target = kind;
  dataset.values = values;
  dataset.class_count = columns;
  return dataset;
}

TEST(ObjectiveOfNumbers, ScalesByTheTrainingPart) {
  const data::Dataset dataset = with_values(TargetKind::numbers, {10, 14, 100}, 1);
  const TargetScale scale = target_scale(dataset, {0, 1});
  EXPECT_THAT(scale.centre, ElementsAre(12));
  EXPECT_THAT(scale.deviation, ElementsAre(2));
  const auto objective = make_objective(TargetKind::numbers, 1, scale);

  EXPECT_TRUE(at::equal(objective->targets(dataset, {0, 1, 2}, torch::kDouble), rows({-1, 1, 44}, 1)));
  EXPECT_TRUE(at::equal(objective->predictions(rows({-1, 0.5}, 1)), rows({10, 13}, 1))) << "the data's units";
  // ((0 - -1)^2 + (3 - 1)^2) / 2
  EXPECT_DOUBLE_EQ(objective->loss(rows({0, 3}, 1), rows({-1, 1}, 1), {}).item<double>(), 2.5);
  EXPECT_DOUBLE_EQ(objective->figures(dataset, {0, 2}, rows({11, 0, 100}, 1))->metric("mae"), 0.5);
  EXPECT_DOUBLE_EQ(objective->score(torch::tensor({0.5}, torch::kDouble), 0).item<double>(), 13);
  EXPECT_THAT(message_of<UsageError>([&] { objective->weights(rows({1}, 1), torch::kDouble); }),
              HasSubstr("class_weights"));
}

TEST(ObjectiveOfNumbers, OnlyMovesWhatIsTheSameEverywhere) {
  const TargetScale scale = target_scale(with_values(TargetKind::numbers, {3, 3, 5}, 1), {0, 1});
  EXPECT_THAT(scale.deviation, ElementsAre(1));
}

TEST(ObjectiveOfNumbers, ExplainsOneAlone) {
  const auto objective = make_objective(TargetKind::numbers, 2, {{0, 0}, {1, 1}});
  EXPECT_THAT(message_of<UsageError>([&] { static_cast<void>(objective->subject(torch::zeros({2}))); }),
              HasSubstr("predicts 2 numbers"));
}

TEST(ObjectiveOfLabels, HasTheBinaryCrossEntropy) {
  const auto objective = make_objective(TargetKind::labels, 2);
  const auto softplus = [](double x) { return std::log1p(std::exp(x)); };
  const at::Tensor outputs = rows({0.3, -2, 1, 0.5}, 2);
  const at::Tensor truth = rows({1, 0, 0, 1}, 2);

  EXPECT_NEAR(objective->loss(outputs, truth, {}).item<double>(),
              (softplus(-0.3) + softplus(-2) + softplus(1) + softplus(-0.5)) / 4, 1e-15);
  const at::Tensor weights = torch::tensor({3.0, 1.0}, torch::kDouble);
  EXPECT_NEAR(objective->loss(outputs, truth, weights).item<double>(),
              (3 * softplus(-0.3) + softplus(-2) + softplus(1) + softplus(-0.5)) / 4, 1e-15);
  EXPECT_NEAR(objective->predictions(outputs)[0][0].item<double>(), 1 / (1 + std::exp(-0.3)), 1e-15);
  EXPECT_TRUE(at::equal(objective->decisions_of_outputs(outputs), rows({1, 0, 1, 1}, 2)));
  EXPECT_EQ(objective->subject(outputs[1]), 0);
}

TEST(ObjectiveOfLabels, WeighsThoseThatHaveALabel) {
  const auto objective = make_objective(TargetKind::labels, 3);
  const at::Tensor truth = rows({1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, 3);
  // One of four, none, and all.
  EXPECT_TRUE(
      at::equal(objective->weights(truth, torch::kDouble), torch::tensor({3.0, 1.0, 1.0}, torch::kDouble)));
}

TEST(Losses, AreTheSameBitsForAnyNumberOfThreads) {
  torch::manual_seed(1);
  const at::Tensor outputs = torch::randn({100003, 3});
  const at::Tensor truth = torch::randn({100003, 3});
  const int before = at::get_num_threads();
  for (const TargetKind kind : {TargetKind::numbers, TargetKind::labels}) {
    const auto objective = make_objective(kind, 3, {{0, 0, 0}, {1, 1, 1}});
    const at::Tensor targets = kind == TargetKind::labels ? (truth > 0).to(at::kFloat) : truth;
    at::set_num_threads(1);
    const float one = objective->loss(outputs, targets, {}).item<float>();
    at::set_num_threads(4);
    EXPECT_EQ(objective->loss(outputs, targets, {}).item<float>(), one);
    at::set_num_threads(before);
  }
}

}  // namespace
}  // namespace dshn::train
