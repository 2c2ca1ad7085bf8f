// Training on a GPU: the CPU's numbers, the same bits with and without a graph, and side by side or alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <map>
#include <ostream>

#ifdef DSHN_CUDA_KERNELS
#include <c10/cuda/CUDACachingAllocator.h>
#include <cuda_runtime_api.h>
#endif

#include "dshn/base/error.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/train/memory_guard.hpp"
#include "dshn/train/run.hpp"
#include "support/temporary_folder.hpp"
#include "train/device_queue.hpp"

namespace dshn::train {
namespace {

/// The benchmark, its classes made into targets of a kind: a number, or the bits of one.
std::shared_ptr<const data::Dataset> benchmark(const Settings& settings, data::TargetKind kind) {
  data::Dataset dataset = data::open(settings.data, open_options(settings));
  if (kind != data::TargetKind::classes) {
    for (const Index label : dataset.labels) {
      if (kind == data::TargetKind::numbers) dataset.values.push_back(100 + 7.5 * label);
      for (int bit = 1; bit <= 2 && kind == data::TargetKind::labels; ++bit)
        dataset.values.push_back((label & bit) != 0 ? 1 : 0);
    }
    dataset.labels.clear();
    dataset.class_count = kind == data::TargetKind::numbers ? 1 : 2;
    dataset.code.target = kind;
    dataset.name = "benchmark";
  }
  return std::make_shared<const data::Dataset>(std::move(dataset));
}

/// The records of all splits of a short run with dropout.
std::vector<EpochRecord> short_run(const std::string& device, const std::string& model,
                                   const Assignments& more = {}, const std::vector<int>& only = {},
                                   data::TargetKind target = data::TargetKind::classes) {
  Settings settings;
  settings.data = "synthetic-generated-io10";
  settings.model = model;
  settings.splits = 3;
  settings.device = device;
  settings.set = {{"epochs", "6"}};
  for (const auto& [name, value] : more) settings.set[name] = value;
  const TemporaryFolder folder;
  std::vector<EpochRecord> result;
  SplitHooks hooks;
  hooks.on_epoch = [&](const EpochRecord& record) { result.push_back(record); };
  run(Experiment(benchmark(settings, target), settings), folder.path() / "run", hooks, only);
  return result;
}

/// A model, with options.
struct Trained {
  std::string name;
  std::string model;
  Assignments set = {};
  data::TargetKind target = data::TargetKind::classes;
};

std::ostream& operator<<(std::ostream& stream, const Trained& trained) {
  return stream << trained.name;
}

class CudaTraining : public testing::TestWithParam<Trained> {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available())
      GTEST_SKIP()
          << "SKIPPED, NOT PASSED: this machine has no usable GPU; run scripts/gpu-check on one that has";
  }

  static std::vector<EpochRecord> records(const std::string& device, Assignments more = {},
                                          const std::vector<int>& only = {}) {
    more.insert(GetParam().set.begin(), GetParam().set.end());
    return short_run(device, GetParam().model, more, only, GetParam().target);
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
  const Assignments exact{{"precision", "float64"}};
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

#ifdef DSHN_CUDA_KERNELS

/// Leaves so many bytes to this process's tensors while it lives.
class MemoryLimit {
 public:
  explicit MemoryLimit(double bytes) {
    std::size_t free_bytes = 0;
    std::size_t all_bytes = 0;
    cudaMemGetInfo(&free_bytes, &all_bytes);
    c10::cuda::CUDACachingAllocator::emptyCache();
    c10::cuda::CUDACachingAllocator::setMemoryFraction(bytes / static_cast<double>(all_bytes), 0);
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit() { c10::cuda::CUDACachingAllocator::setMemoryFraction(1, 0); }
};

/// By split, of its last epoch: what had no room beside others has begun again.
std::map<int, double> last_losses(const std::vector<EpochRecord>& records) {
  std::map<int, double> losses;
  for (const EpochRecord& record : records) losses[record.split] = record.loss;
  return losses;
}

std::int64_t times_full() {
  return c10::cuda::CUDACachingAllocator::getDeviceStats(0).num_ooms;
}

/// The memory ends at another place each time, in the middle of recording too.
TEST(CudaTrainingMemory, OnAFullCardFailsOrTrainsOneByOneAndDoesNotCrash) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "SKIPPED, NOT PASSED: this machine has no usable GPU";
  const auto expected = last_losses(short_run("cuda", "dshn"));
  int failed = 0;
  int done = 0;
  int one_by_one = 0;
  for (double megabytes = 8; megabytes <= 8192; megabytes *= 1.2) {
    const MemoryLimit limit(megabytes * 1e6);
    const std::int64_t before = times_full();
    try {
      EXPECT_EQ(last_losses(short_run("cuda", "dshn")), expected);
      ++done;
      one_by_one += times_full() > before ? 1 : 0;
    } catch (const c10::OutOfMemoryError&) {  // before the first training
    } catch (const Failure& failure) {
      EXPECT_THAT(failure.what(), testing::HasSubstr("memory"));
      ++failed;
    }
  }
  EXPECT_GT(failed, 0);
  EXPECT_GT(one_by_one, 0);
  EXPECT_GT(done, one_by_one);
}

TEST(CudaTrainingMemory, IsFreeForOthersWhenTheWorkOfAQueueIsDone) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "SKIPPED, NOT PASSED: this machine has no usable GPU";
  const at::Tensor written = torch::zeros({1}, at::kCUDA);
  const at::Tensor factor = torch::eye(4096, at::kCUDA);
  torch::cuda::synchronize();
  {
    DeviceQueue queue(written.device(), /*record=*/false);
    queue.once([&] {  // some tenths of a second of products, then a number
      at::Tensor product = factor;
      for (int step = 0; step < 100; ++step) product = product.mm(factor);
      written.copy_(product.view({-1}).slice(0, 0, 1));
    });
  }
  EXPECT_EQ(written.item<float>(), 1) << "another stream reads before the queue has written";
}

/// Memory that nobody has written is full of NaN here: whoever reads it is found out.
TEST_P(CudaTraining, ReadsNothingThatNobodyHasWritten) {
  const auto plain = records("cuda");
  at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/true);
  at::globalContext().setDeterministicFillUninitializedMemory(true);
  const auto filled = records("cuda");
  at::globalContext().setDeterministicAlgorithms(false, false);
  for (int epoch = 1; epoch <= 6; ++epoch)
    EXPECT_NEAR(loss(filled, 1, epoch), loss(plain, 1, epoch), 1e-3) << epoch;
}

/// What libtorch has of the card when nothing is trained.
std::int64_t held_idle() {
  return_unused(at::kCUDA);
  return c10::cuda::CUDACachingAllocator::getDeviceStats(0).reserved_bytes[0].current;
}

/// Each run takes other streams, and a study has hundreds of them in one process.
TEST(CudaTrainingMemory, IsGivenBackAfterEveryRun) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "SKIPPED, NOT PASSED: this machine has no usable GPU";
  short_run("cuda", "dshn");
  const std::int64_t after_one = held_idle();
  for (int run = 0; run < 20; ++run) short_run("cuda", "dshn");
  EXPECT_LE(held_idle(), after_one);
}

TEST(CudaTrainingMemory, IsGivenBackAfterTheCardWasFull) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "SKIPPED, NOT PASSED: this machine has no usable GPU";
  short_run("cuda", "dshn");
  const std::int64_t after_one = held_idle();
  const std::int64_t before = times_full();
  for (double megabytes = 32; megabytes <= 512; megabytes *= 1.3) {
    const MemoryLimit limit(megabytes * 1e6);
    try {
      short_run("cuda", "dshn");
    } catch (const c10::OutOfMemoryError&) {
    } catch (const Failure&) {
    }
    EXPECT_LE(held_idle(), after_one) << megabytes;
  }
  EXPECT_GT(times_full(), before);
}

#endif

std::vector<Trained> trained_models() {
  std::vector<Trained> all;
  for (const models::ModelEntry& entry : models::all_models()) {
    if (!entry.is_rule) all.push_back({entry.name, entry.name});
  }
  return all;
}

/// Options of DSHN that call operators which its defaults do not.
std::vector<Trained> trained_options() {
  return {{"add_identity", "dshn", {{"add_identity", "true"}}},
          {"general_add_identity", "dshn", {{"add_identity", "true"}, {"maps", "general"}, {"d", "2"}}},
          {"transformed_sum", "dshn", {{"hyperedge_features", "transformed-sum"}, {"map_norm", "true"}}},
          {"layer_norm_input", "dshn", {{"layer_norm", "input"}, {"residual", "true"}}},
          {"charge_per_hyperedge", "dshn", {{"q", "learn-per-hyperedge"}}},
          {"normalisation_degree", "dshn", {{"normalisation", "degree"}}}};
}

/// Losses and decisions of the other kinds of targets.
std::vector<Trained> trained_targets() {
  return {{"numbers", "dshn", {}, data::TargetKind::numbers},
          {"labels", "dshn", {}, data::TargetKind::labels},
          {"weighted_labels", "dshn", {{"class_weights", "true"}}, data::TargetKind::labels}};
}

std::string case_name(const testing::TestParamInfo<Trained>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// Each is compared with the CPU, and recorded as a CUDA graph with launched one by one.
INSTANTIATE_TEST_SUITE_P(Models, CudaTraining, testing::ValuesIn(trained_models()), case_name);
INSTANTIATE_TEST_SUITE_P(Options, CudaTraining, testing::ValuesIn(trained_options()), case_name);
INSTANTIATE_TEST_SUITE_P(Targets, CudaTraining, testing::ValuesIn(trained_targets()), case_name);

}  // namespace
}  // namespace dshn::train
