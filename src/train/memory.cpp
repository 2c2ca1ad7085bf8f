#include "dshn/train/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <torch/torch.h>

#ifdef DSHN_CUDA_KERNELS
#include <c10/cuda/CUDACachingAllocator.h>
#include <cuda_runtime_api.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "dshn/base/error.hpp"

namespace dshn::train {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;

/// The number behind "name" in a file of "name: number kB" lines, in bytes; 0 when it is not there.
double proc_bytes(const char* path, const std::string& name) {
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    double value = 0;
    if (word == name && file >> value) return value * 1024;
  }
  return 0;
}

/// A container's limit less its use; infinite where there is none.
double cgroup_left() {
  double limit = 0;
  double used = 0;
  std::ifstream limit_file("/sys/fs/cgroup/memory.max");
  std::ifstream used_file("/sys/fs/cgroup/memory.current");
  if (!(limit_file >> limit) || !(used_file >> used)) return std::numeric_limits<double>::infinity();
  return limit - used;
}

}  // namespace

double estimated_bytes(const Experiment& experiment) {
  const std::shared_ptr<models::Model> model = experiment.new_model(0);
  double parameters = 0;
  for (const at::Tensor& parameter : model->parameters())
    parameters += static_cast<double>(parameter.numel());
  const auto item = static_cast<double>(at::elementSize(experiment.input.x.scalar_type()));
  // Values, gradients, two moments, the best so far; activations once for the forward and half again for the
  // backward.
  return item * (5 * parameters + 1.5 * model->activations(experiment.input));
}

double available_bytes(const at::Device& device) {
#ifdef DSHN_CUDA_KERNELS
  if (device.is_cuda()) {
    std::size_t left = 0;
    std::size_t all = 0;
    if (cudaMemGetInfo(&left, &all) != cudaSuccess)
      throw Failure("the GPU does not say how much memory it has");
    return static_cast<double>(left);
  }
#else
  static_cast<void>(device);
#endif
  return std::min(proc_bytes("/proc/meminfo", "MemAvailable:"), cgroup_left());
}

void return_unused(const at::Device& device) {
#ifdef DSHN_CUDA_KERNELS
  if (device.is_cuda()) c10::cuda::CUDACachingAllocator::emptyCache();
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

double peak_mib() {
  rusage children{};
  getrusage(RUSAGE_CHILDREN, &children);
  return std::max(proc_bytes("/proc/self/status", "VmHWM:"), static_cast<double>(children.ru_maxrss) * 1024) /
         kMiB;
}

void check_memory(const Experiment& experiment, std::optional<double> available) {
  const double needed = estimated_bytes(experiment);
  const double there = available ? *available : available_bytes(experiment.device);
  if (needed <= there) return;
  throw TooLarge(
      fmt::format("training needs about {:.0f} MiB and {:.0f} MiB are free; choose a smaller model",
                  needed / kMiB, there / kMiB));
}

}  // namespace dshn::train
