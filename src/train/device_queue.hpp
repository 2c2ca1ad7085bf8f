#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>

namespace dshn::train {

/// Where the work of one training goes. On a GPU it is a stream of its own, so that several trainings run
/// side by side, and work that repeats is recorded as a CUDA graph: one launch instead of hundreds. On the
/// CPU everything is done at once.
class DeviceQueue {
 public:
  /// `record`: whether repeated work becomes a graph; without meaning on the CPU.
  DeviceQueue(const at::Device& device, bool record);
  /// Waits for what is queued.
  ~DeviceQueue();
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;

  /// Queues the same work every time: launched as it is the first time, recorded the second, and from then on
  /// only played. It may not wait for the device, and tensors that it leaves behind keep their place.
  void repeat(const std::function<void()>& work);
  /// Both at once on a GPU, one after the other on the CPU; for use within work of this queue.
  void side_by_side(const std::function<void()>& first, const std::function<void()>& second);
  bool on_gpu() const { return graph_ != nullptr; }
  /// Queues something else.
  void once(const std::function<void()>& work);
  void wait();
  /// Whether wait would return at once.
  bool ready() const;
  /// How often the device had not enough memory so far. Autograd's threads may lose the exception that says so,
  /// and then another one comes in its place.
  static std::int64_t times_full(const at::Device& device);

 private:
  struct Graph;
  std::unique_ptr<Graph> graph_;  // null on the CPU
};

}  // namespace dshn::train
