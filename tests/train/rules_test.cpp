// Rules go through the same doors as models that are trained.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/train/predict.hpp"
#include "dshn/train/run.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::train {
namespace {

Settings rule_settings(const std::string& model) {
  Settings settings;
  settings.data = "synthetic-generated-io30";
  settings.model = model;
  settings.splits = 2;
  settings.device = "cpu";
  return settings;
}

class RuleRun : public testing::TestWithParam<std::string> {};

TEST_P(RuleRun, IsStoredEvaluatedAndResumed) {
  const TemporaryFolder temporary;
  const Settings settings = rule_settings(GetParam());
  const Experiment experiment(settings);
  prepare_folder(settings, temporary / "run", false);

  const RunResult first = run(experiment, temporary / "run", {});
  const RunResult again = evaluate(experiment, temporary / "run");
  prepare_folder(settings, temporary / "run", true);
  const RunResult resumed = run(experiment, temporary / "run", {});

  ASSERT_EQ(first.splits.size(), 2);
  EXPECT_EQ(first.parameters, 0);
  EXPECT_EQ(first.splits[0].epochs, 1);
  EXPECT_EQ(again.test.mean, first.test.mean);
  EXPECT_EQ(resumed.test.mean, first.test.mean);
  EXPECT_TRUE(std::filesystem::exists(temporary / "run/result.json"));
  EXPECT_TRUE(std::filesystem::exists(temporary / "run/split-01/metrics.jsonl"));
}

INSTANTIATE_TEST_SUITE_P(Rules, RuleRun, testing::Values("components", "head-share"));

TEST(Rules, SolveTheSyntheticSetOnlyWithRoles) {
  const TemporaryFolder temporary;
  const auto accuracy = [&](const std::string& model, const Assignments& set) {
    Settings settings = rule_settings(model);
    settings.set = set;
    const std::filesystem::path folder = temporary / (model + std::to_string(set.size()));
    prepare_folder(settings, folder, false);
    return run(Experiment(settings), folder, {}).test.mean;
  };

  EXPECT_GT(accuracy("components", {}), 0.99);
  EXPECT_LT(accuracy("components", {{"role_aware", "false"}}), 0.4);
  EXPECT_GT(accuracy("head-share", {}), 0.6);
}

}  // namespace
}  // namespace dshn::train
