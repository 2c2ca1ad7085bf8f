#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace dshn::test {

/// The folder of the real data sets, DSHN_DATA_DIR; empty where that is not set.
inline std::filesystem::path real_data() {
  const char* const named = std::getenv("DSHN_DATA_DIR");
  return named == nullptr ? std::filesystem::path() : std::filesystem::weakly_canonical(named);
}

/// Whether a part of it is there. If not, a line for it is added to the file DSHN_SKIP_LOG, so that skips can be
/// counted whichever way the tests are run.
inline bool has_real_data(const std::filesystem::path& part) {
  if (!real_data().empty() && std::filesystem::exists(real_data() / part)) return true;
  if (const char* const log = std::getenv("DSHN_SKIP_LOG")) {
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    std::ofstream(log, std::ios::app) << test->test_suite_name() << '.' << test->name() << std::endl;
  }
  return false;
}

}  // namespace dshn::test

/// First line of a test (or of a SetUp) that needs a part of the folder of real data sets.
#define DSHN_NEEDS_REAL_DATA(part)                                                                 \
  if (!dshn::test::has_real_data(part)) {                                                          \
    GTEST_SKIP() << "NO REAL DATA: " << dshn::test::real_data() / (part) << "; set DSHN_DATA_DIR"; \
  }                                                                                                \
  static_assert(true)
