#pragma once

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace dshn::train {

/// Writes down how many bytes of CPU tensors this thread holds, from its making to its end, each time that libtorch
/// takes some or gives some back. libtorch reports to whoever stands where its profiler would.
class TensorLedger {
 public:
  TensorLedger() : book_(std::make_shared<Book>()), guard_(c10::DebugInfoKind::PROFILER_STATE, book_) {}

  /// What was held after each change since the last call.
  std::vector<std::int64_t> take() { return std::exchange(book_->held, {book_->now}); }

 private:
  /// The third argument's type, which versions of libtorch spell differently.
  template <typename Base, typename T>
  static T total_of(void (Base::*)(void*, std::int64_t, T, T, c10::Device));
  using Total = decltype(total_of(&c10::MemoryReportingInfoBase::reportMemoryUsage));

  struct Book : c10::MemoryReportingInfoBase {
    void reportMemoryUsage(void* /*block*/, std::int64_t bytes, Total /*allocated*/, Total /*reserved*/,
                           c10::Device device) override {
      if (!device.is_cpu()) return;
      now += bytes;
      held.push_back(now);
    }
    bool memoryProfilingEnabled() const override { return true; }

    std::int64_t now = 0;
    std::vector<std::int64_t> held{0};
  };

  std::shared_ptr<Book> book_;
  c10::DebugInfoGuard guard_;
};

}  // namespace dshn::train
