#include "dshn/base/parallel.hpp"

#include <gmock/gmock.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/base/parallel_rows.hpp"
#include "support/message_of.hpp"
#include "support/with_threads.hpp"

namespace dshn::test {
namespace {

TEST(ParallelFor, CoversEveryItemOnce) {
  for (const int threads : {1, 2, 7}) {
    const WithThreads scope(threads);
    std::vector<int> visits(1000, 0);

    parallel_for(1000, 10, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) ++visits[i];
    });

    EXPECT_THAT(visits, testing::Each(1));
  }
}

TEST(ParallelFor, RespectsTheGrainAndTheNumberOfThreads) {
  const WithThreads scope(7);
  std::atomic<int> pieces{0};
  std::atomic<std::int64_t> shortest{1000};

  parallel_for(100, 30, [&](std::int64_t begin, std::int64_t end) {
    ++pieces;
    if (end - begin < shortest) shortest = end - begin;
  });

  EXPECT_EQ(pieces, 3);
  EXPECT_GE(shortest, 30);
  parallel_for(0, 1, [](std::int64_t, std::int64_t) { FAIL() << "there is nothing to do"; });
}

TEST(ParallelFor, RethrowsAnExceptionOfAPiece) {
  const WithThreads scope(4);

  EXPECT_EQ(message_of<InvalidInput>([] {
              parallel_for(4, 1, [](std::int64_t begin, std::int64_t) {
                if (begin == 3) throw InvalidInput("piece 3");
              });
            }),
            "piece 3");
}

TEST(ThreadCount, IsWhatWasAskedFor) {
  {
    const WithThreads scope(5);
    EXPECT_EQ(thread_count(), 5);
  }
  EXPECT_GE(thread_count(), 1);
}

RC_GTEST_PROP(ParallelRowsProperty, CoversEveryRowOnce, ()) {
  const auto lengths = *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 40));
  const WithThreads scope(*rc::gen::inRange(1, 8));
  std::vector<std::int64_t> ptr{0};
  for (const std::int64_t length : lengths) ptr.push_back(ptr.back() + length);
  std::vector<int> visits(lengths.size(), 0);

  parallel_rows(ptr, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; ++row) ++visits[row];
  });

  RC_ASSERT(visits == std::vector<int>(lengths.size(), 1));
}

}  // namespace
}  // namespace dshn::test
