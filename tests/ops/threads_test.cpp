// Work is really shared: a build without OpenMP would give the right bits on one thread.
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "ops/cpu/work_pieces.hpp"

namespace dshn::ops::cpu {
namespace {

class Threads : public testing::Test {
 protected:
  void SetUp() override { at::set_num_threads(3); }
  void TearDown() override { at::set_num_threads(before_); }

 private:
  int before_ = at::get_num_threads();
};

TEST_F(Threads, PiecesRunOnSeveralThreads) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  parallel_pieces(3, [&](std::int64_t, std::int64_t) {
    const std::lock_guard<std::mutex> lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_GT(seen.size(), 1U);
}

TEST_F(Threads, EveryRowIsVisitedOnce) {
  std::vector<std::int64_t> ptr{0};
  for (std::int64_t row = 0; row < 5000; ++row) ptr.push_back(ptr.back() + (row == 17 ? 100000 : row % 5));
  std::vector<int> visits(5000, 0);
  parallel_rows_by_cost(ptr.data(), 5000, 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) ++visits[row];
  });
  EXPECT_EQ(visits, std::vector<int>(5000, 1));
}

TEST_F(Threads, ExceptionsReachTheCaller) {
  const auto fail = [](std::int64_t, std::int64_t) { throw std::runtime_error("piece"); };
  EXPECT_THROW(parallel_pieces(3, fail), std::runtime_error);
}

}  // namespace
}  // namespace dshn::ops::cpu
