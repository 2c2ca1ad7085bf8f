// Training on a GPU: the CPU's numbers, the same bits with and without a graph, and side by side or alone.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "dshn/models/registry.hpp"
#include "dshn/train/run.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::train {
namespace {

class CudaTraining : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available())
      GTEST_SKIP()
          << "SKIPPED, NOT PASSED: this machine has no usable GPU; run scripts/gpu-check on one that has";
  }

  /// The records of all splits of a short run with dropout.
  std::vector<EpochRecord> records(const std::string& device, const models::Assignments& more = {},
                                   const std::vector<int>& only = {}) {
    Settings settings;
    settings.data = "synthetic-generated-io10";
    settings.model = GetParam();
    settings.splits = 3;
    settings.device = device;
    settings.set = {{"epochs", "6"}};
    for (const auto& [name, value] : more) settings.set[name] = value;
    const TemporaryFolder folder;
    std::vector<EpochRecord> result;
    SplitHooks hooks;
    hooks.on_epoch = [&](const EpochRecord& record) { result.push_back(record); };
    run(Experiment(settings), folder.path() / "run", hooks, only);
    return result;
  }

  static double loss(const std::vector<EpochRecord>& records, int split, int epoch) {
    for (const EpochRecord& record : records) {
      if (record.split == split && record.epoch == epoch) return record.loss;
    }
    ADD_FAILURE() << "no record of split " << split << ", epoch " << epoch;
    return 0;
  }
};

TEST_P(CudaTraining, StartsLikeTheCpu) {
  const models::Assignments exact{{"precision", "float64"}};
  const auto on_cpu = records("cpu", exact);
  const auto on_gpu = records("cuda", exact);
  for (int split = 0; split < 3; ++split) {
    for (int epoch = 1; epoch <= 6; ++epoch)
      EXPECT_NEAR(loss(on_gpu, split, epoch), loss(on_cpu, split, epoch), 1e-6) << split << ' ' << epoch;
  }
}

TEST_P(CudaTraining, GivesTheSameBitsRecordedOrNotAloneOrSideBySide) {
  const auto side_by_side = records("cuda");
  const auto launched = records("cuda", {{"cuda_graph", "false"}});
  const auto alone = records("cuda", {}, {1});
  for (int epoch = 1; epoch <= 6; ++epoch) {
    EXPECT_EQ(loss(side_by_side, 1, epoch), loss(launched, 1, epoch)) << epoch;
    EXPECT_EQ(loss(side_by_side, 1, epoch), loss(alone, 1, epoch)) << epoch;
  }
}

std::vector<std::string> trained_models() {
  std::vector<std::string> names;
  for (const models::ModelEntry& entry : models::all_models()) {
    if (!entry.is_rule) names.push_back(entry.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Models, CudaTraining, testing::ValuesIn(trained_models()), [](const auto& named) {
  std::string name = named.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace dshn::train
