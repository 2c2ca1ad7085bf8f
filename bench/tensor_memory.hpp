#pragma once

#include <c10/core/CPUAllocator.h>
#include <torch/version.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>

namespace dshn::bench {

/// Counts the bytes that libtorch holds in CPU tensors, exactly, by standing before its allocator.
class TensorMemory : public at::Allocator {
 public:
  /// Counts from now on; tensors that were made earlier do not count.
  static TensorMemory& instance() {
    static TensorMemory memory;
    return memory;
  }

  std::size_t live() const { return live_.load(); }
  /// Forgets the peak so far and returns what is held now.
  std::size_t restart() { return peak_ = live_.load(); }
  std::size_t peak() const { return peak_.load(); }

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 3)
  at::DataPtr allocate(std::size_t size) override {
    return counted(size);
  }
  void copy_data(void* to, const void* from, std::size_t size) const override {
    default_copy_data(to, from, size);
  }
#else
  at::DataPtr allocate(std::size_t size) const override {
    return counted(size);
  }
#endif

 private:
  struct Block {
    at::DataPtr data;
    std::size_t size;
  };

  TensorMemory() : original_(c10::GetCPUAllocator()) {
    c10::SetCPUAllocator(this, 255);
  }

  at::DataPtr counted(std::size_t size) const {
    auto block = std::make_unique<Block>(Block{original_->allocate(size), size});
    const std::size_t now = live_ += size;
    std::size_t peak = peak_.load();
    while (now > peak && !peak_.compare_exchange_weak(peak, now)) {
    }
    void* data = block->data.get();
    return {data, block.release(), release, at::Device(at::kCPU)};
  }

  static void release(void* pointer) {
    const std::unique_ptr<Block> block(static_cast<Block*>(pointer));
    instance().live_ -= block->size;
  }

  at::Allocator* original_;
  mutable std::atomic<std::size_t> live_{0};
  mutable std::atomic<std::size_t> peak_{0};
};

}  // namespace dshn::bench
