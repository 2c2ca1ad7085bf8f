#include "dshn/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace dshn {
namespace {

std::atomic<int> requested_threads{0};

int default_threads() {
  if (const char* text = std::getenv("DSHN_NUM_THREADS")) {
    const int value = std::atoi(text);  // NOLINT(cert-err34-c): nonsense reads as 0, which means "not set"
    if (value > 0) return value;
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

int thread_count() {
  const int requested = requested_threads.load();
  return requested > 0 ? requested : default_threads();
}

void set_thread_count(int count) {
  requested_threads.store(count);
}

void parallel_for(std::int64_t size, std::int64_t grain,
                  const std::function<void(std::int64_t, std::int64_t)>& body) {
  const std::int64_t pieces =
      std::clamp<std::int64_t>(size / std::max<std::int64_t>(grain, 1), 1, thread_count());
  if (pieces == 1) {
    if (size > 0) body(0, size);
    return;
  }
  std::exception_ptr first_error;
  std::mutex error_mutex;
  const auto run = [&](std::int64_t piece) {
    try {
      body(size * piece / pieces, size * (piece + 1) / pieces);
    } catch (...) {
      const std::lock_guard lock(error_mutex);
      if (!first_error) first_error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> workers;
    workers.reserve(pieces - 1);
    for (std::int64_t piece = 1; piece < pieces; ++piece) workers.emplace_back(run, piece);
    run(0);
  }
  if (first_error) std::rethrow_exception(first_error);
}

}  // namespace dshn
