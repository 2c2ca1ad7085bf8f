#pragma once

#include "dshn/base/parallel.hpp"

namespace dshn::test {

/// Runs with a number of threads and restores the default afterwards.
class WithThreads {
 public:
  explicit WithThreads(int count) { set_thread_count(count); }
  ~WithThreads() { set_thread_count(0); }
  WithThreads(const WithThreads&) = delete;
  WithThreads& operator=(const WithThreads&) = delete;
};

}  // namespace dshn::test
