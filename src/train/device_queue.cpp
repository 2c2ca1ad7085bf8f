#include "train/device_queue.hpp"

#include <torch/torch.h>

#include <utility>

#ifdef DSHN_CUDA_KERNELS
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#endif

namespace dshn::train {

#ifdef DSHN_CUDA_KERNELS

struct DeviceQueue::Graph {
  c10::cuda::CUDAStream stream;
  c10::cuda::CUDAStream side;
  bool record;
  bool used = false;
  int calls = 0;  // of repeated work
  std::unique_ptr<at::cuda::CUDAGraph> recorded;

  Graph(const at::Device& device, bool wants_record)
      : stream(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device.index())),
        // Of the other pool: no queue's own stream is the side of another.
        side(c10::cuda::getStreamFromPool(/*isHighPriority=*/true, device.index())),
        record(wants_record) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  /// A training that is given up in the middle of an epoch has work under way: what it holds is free for others when
  /// that is over.
  ~Graph() {
    cudaStreamSynchronize(side);
    cudaStreamSynchronize(stream);
  }

  /// Makes this stream the current one. What the work reads was made on the default stream: the first time,
  /// that has to be over.
  c10::cuda::CUDAStreamGuard enter() {
    if (!std::exchange(used, true)) torch::cuda::synchronize(stream.device_index());
    return c10::cuda::CUDAStreamGuard(stream);
  }

  void side_by_side(const std::function<void()>& first, const std::function<void()>& second) {
    at::cuda::CUDAEvent begin;
    at::cuda::CUDAEvent end;
    begin.record(stream);
    begin.block(side);
    {
      const c10::cuda::CUDAStreamGuard guard(side);
      first();
      end.record(side);
    }
    second();
    end.block(stream);
  }

  void capture(const std::function<void()>& work) {
    recorded = std::make_unique<at::cuda::CUDAGraph>();
    const at::cuda::MempoolId_t pool = at::cuda::graph_pool_handle();
    // Gradients are launched by a thread of autograd's: only this one may be held to what capture allows.
    recorded->capture_begin(pool, cudaStreamCaptureModeThreadLocal);
    try {
      work();
    } catch (...) {
      abandon(pool);
      throw;
    }
    recorded->capture_end();
  }

  /// Takes the stream out of recording: tensors that are freed while it lasts would end the program, and the
  /// allocator gives nothing back to the card until it is over.
  void abandon(const at::cuda::MempoolId_t& pool) {
    cudaGraph_t unfinished = nullptr;
    cudaStreamEndCapture(stream, &unfinished);
    if (unfinished != nullptr) cudaGraphDestroy(unfinished);
    cudaGetLastError();  // says again what was thrown
    c10::cuda::CUDACachingAllocator::endAllocateToPool(stream.device_index(), pool);
    c10::cuda::CUDACachingAllocator::releasePool(stream.device_index(), pool);
  }
};

DeviceQueue::DeviceQueue(const at::Device& device, bool record)
    : graph_(device.is_cuda() ? std::make_unique<Graph>(device, record) : nullptr) {}

void DeviceQueue::repeat(const std::function<void()>& work) {
  if (!graph_) return work();
  const c10::cuda::CUDAStreamGuard guard = graph_->enter();
  if (!graph_->record || ++graph_->calls == 1) return work();
  if (!graph_->recorded) graph_->capture(work);
  graph_->recorded->replay();
}

void DeviceQueue::side_by_side(const std::function<void()>& first, const std::function<void()>& second) {
  if (graph_) return graph_->side_by_side(first, second);
  first();
  second();
}

void DeviceQueue::once(const std::function<void()>& work) {
  if (!graph_) return work();
  const c10::cuda::CUDAStreamGuard guard = graph_->enter();
  work();
}

void DeviceQueue::wait() {
  if (graph_) graph_->stream.synchronize();
}

bool DeviceQueue::ready() const {
  return !graph_ || graph_->stream.query();
}

std::int64_t DeviceQueue::times_full(const at::Device& device) {
  return device.is_cuda() ? c10::cuda::CUDACachingAllocator::getDeviceStats(device.index()).num_ooms : 0;
}

#else

struct DeviceQueue::Graph {};

DeviceQueue::DeviceQueue(const at::Device& /*device*/, bool /*record*/) {}
void DeviceQueue::repeat(const std::function<void()>& work) {
  work();
}
void DeviceQueue::side_by_side(const std::function<void()>& first, const std::function<void()>& second) {
  first();
  second();
}
void DeviceQueue::once(const std::function<void()>& work) {
  work();
}
void DeviceQueue::wait() {}
bool DeviceQueue::ready() const {
  return true;
}
std::int64_t DeviceQueue::times_full(const at::Device& /*device*/) {
  return 0;
}

#endif

DeviceQueue::~DeviceQueue() = default;

}  // namespace dshn::train
