#include "dshn/train/memory_guard.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#ifdef DSHN_CUDA_KERNELS
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <cuda_runtime_api.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "dshn/base/error.hpp"
#include "dshn/base/system_memory.hpp"
#include "train/batches.hpp"

namespace dshn::train {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;

/// What the process that started this one, with others beside it, leaves to each: DSHN_MEMORY_SHARE, in bytes.
std::int64_t share_of_memory() {
  constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
  const char* text = std::getenv("DSHN_MEMORY_SHARE");
  if (text == nullptr) return kAll;
  char* end = nullptr;
  const long long share = std::strtoll(text, &end, 10);
  if (end == text || *end != '\0' || share < 1)
    throw UsageError(fmt::format("DSHN_MEMORY_SHARE={}: expected a number of bytes", text));
  return share;
}

#ifdef DSHN_CUDA_KERNELS

/// What a process may take of a card that it shares; the rest is for what libtorch does not count.
double share_of_card() {
  constexpr double kCounted = 0.9;
  return kCounted / gpu_processes();
}

double free_bytes_of_card(const at::Device& device) {
  std::size_t left = 0;
  std::size_t all = 0;
  if (cudaMemGetInfo(&left, &all) != cudaSuccess)
    throw Failure("the GPU does not say how much memory it has");
  if (gpu_processes() == 1) return static_cast<double>(left);
  // What libtorch keeps of freed memory is used again.
  const auto held =
      c10::cuda::CUDACachingAllocator::getDeviceStats(device.index()).allocated_bytes[0].current;
  return share_of_card() * static_cast<double>(all) - static_cast<double>(held);
}

#endif

}  // namespace

double available_bytes(const at::Device& device) {
#ifdef DSHN_CUDA_KERNELS
  if (device.is_cuda()) return free_bytes_of_card(device);
#else
  static_cast<void>(device);
#endif
  return static_cast<double>(available_memory("/", share_of_memory()));
}

void return_unused(const at::Device& device) {
#ifdef DSHN_CUDA_KERNELS
  if (!device.is_cuda()) return;
  at::cuda::clearCublasWorkspaces();  // one for each stream that had a product: gigabytes after some trials
  c10::cuda::CUDACachingAllocator::emptyCache();
#else
  static_cast<void>(device);
#endif
}

void keep_to_share(const at::Device& device) {
#ifdef DSHN_CUDA_KERNELS
  if (device.is_cuda() && gpu_processes() > 1)
    c10::cuda::CUDACachingAllocator::setMemoryFraction(share_of_card(), device.index());
#else
  static_cast<void>(device);
#endif
}

int gpu_processes() {
  const char* text = std::getenv("DSHN_GPU_PROCESSES");
  if (text == nullptr) return 1;
  char* end = nullptr;
  const long count = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || count < 1 || count > 1024)
    throw UsageError(
        fmt::format("DSHN_GPU_PROCESSES={}: expected how many programs share a GPU, 1 to 1024", text));
  return static_cast<int>(count);
}

void check_memory(const Experiment& experiment, std::optional<double> available, int processes) {
  const int copies =
      experiment.device.is_cuda() ? 1 : std::min(processes, static_cast<int>(experiment.splits.size()));
  double needed = experiment.needed_bytes();
  double each = 0;
  if (available) {
    each = *available / copies;
  } else {
    each = copies > 1 ? static_cast<double>(available_memory("/", memory_share(copies)))
                      : available_bytes(experiment.device);
  }
  if (needed > each && experiment.save_memory()) needed = experiment.needed_bytes();
  if (needed <= each) return;
  const std::string times = copies > 1 ? fmt::format(" in each of {} processes", copies) : "";
  const auto batches = batch_options(experiment.settings);
  const bool on_whole = batches && batches->exact_evaluation;
  throw TooLarge(
      fmt::format("training needs about {:.0f} MiB{} and {:.0f} MiB are free{}; choose {}a smaller model{}",
                  needed / kMiB, times, each / kMiB, copies > 1 ? " for each" : "",
                  on_whole ? "evaluation=sampled, or " : "", copies > 1 ? " or fewer processes" : ""));
}

}  // namespace dshn::train
