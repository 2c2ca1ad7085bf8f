#include "dshn/ops/keep_freed_memory.hpp"

#include <c10/core/CPUAllocator.h>
#include <torch/version.h>

#if defined(__GLIBC__) || __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>

namespace dshn::ops {
namespace {

/// What libtorch's kernels expect of memory: a line of the cache, the widest vector.
constexpr std::size_t kAlignment = 64;

/// Blocks of malloc with a tensor's memory at the first aligned place.
class TensorHeap : public at::Allocator {
 public:
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 3)
  at::DataPtr allocate(std::size_t size) override {
    return taken(size);
  }
  void copy_data(void* to, const void* from, std::size_t size) const override {
    default_copy_data(to, from, size);
  }
#else
  at::DataPtr allocate(std::size_t size) const override {
    return taken(size);
  }
#endif

 private:
  static at::DataPtr taken(std::size_t size) {
    if (size == 0) return {nullptr, nullptr, give_back, at::kCPU};
    if (size > std::numeric_limits<std::size_t>::max() - kAlignment) throw std::bad_alloc();
    void* const block = std::malloc(size + kAlignment);
    if (block == nullptr) throw std::bad_alloc();
    const auto offset = reinterpret_cast<std::uintptr_t>(block) % kAlignment;
    void* const data = static_cast<std::byte*>(block) + (kAlignment - offset) % kAlignment;
    c10::profiledCPUMemoryReporter().New(block, size);
    return {data, block, give_back, at::kCPU};
  }

  static void give_back(void* block) {
    if (block == nullptr) return;
    c10::profiledCPUMemoryReporter().Delete(block);
    std::free(block);
  }
};

}  // namespace

void keep_freed_memory() {
#ifdef M_MMAP_MAX
  mallopt(M_MMAP_MAX, 0);  // blocks of a map of their own are unmapped when freed
  mallopt(M_TRIM_THRESHOLD,
          -1);  // and the end of the heap is given back, past 2 GiB at the largest other number
  static TensorHeap heap;
  constexpr std::uint8_t kAboveLibtorch = 1;
  c10::SetCPUAllocator(&heap, kAboveLibtorch);
#endif
}

}  // namespace dshn::ops
