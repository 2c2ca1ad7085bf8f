// What a limit of the process's memory (ulimit -v) does to a training.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/files.hpp"
#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

/// A hypergraph on which a wide DSHN takes some GiB.
std::string some_data(const Scratch& scratch) {
  const std::string data = scratch.at("data");
  const Outcome made = dshn({"data", "generate", "--kind", "random", "--nodes", "20000", "--hyperedges",
                             "20000", "--random-labels", "3", "--random-features", "8", "--out", data});
  EXPECT_EQ(made.status, 0) << made.err;
  return data;
}

Arguments training(const std::string& data, const std::string& out, const std::string& width) {
  return {"train",
          "--data",
          data,
          "--model",
          "dshn",
          "--splits",
          "2",
          "--set",
          "epochs=1",
          "--set",
          "hidden_width=" + width,
          "--threads",
          "1",
          "--quiet",
          "--out",
          out};
}

TEST(MemoryLimit, OfAProcessIsMetWithOneLine) {
  const Scratch scratch;
  const std::string data = some_data(scratch);

  const Outcome refused = dshn(training(data, scratch.at("wide"), "512"), {.memory_limit = 3072 * kMiB});
  EXPECT_EQ(refused.status, 1) << refused.err;
  EXPECT_TRUE(refused.one_line()) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("training needs about"));
  EXPECT_THAT(refused.err, HasSubstr("MiB are free"));

  const Outcome fits = dshn(training(data, scratch.at("narrow"), "8"), {.memory_limit = 3072 * kMiB});
  EXPECT_EQ(fits.status, 0) << fits.err;
}

TEST(MemoryLimit, ThatLibtorchCannotStartUnderIsMetWithOneLineToo) {
  const Scratch scratch;
  const std::string data = some_data(scratch);
  for (const std::uint64_t limit : {100U, 300U, 600U, 800U, 1000U, 1200U}) {
    const std::string out = scratch.at("run" + std::to_string(limit));
    const Outcome outcome = dshn(training(data, out, "512"), {.memory_limit = limit * kMiB});
    EXPECT_EQ(outcome.status, 1) << limit << ": " << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << limit << ": " << outcome.err;
    EXPECT_THAT(outcome.err, AnyOf(HasSubstr("raise ulimit -v"), HasSubstr("MiB are free"))) << limit;
  }
}

TEST(MemoryLimit, IsEachProcessesOwnAndTheMachineIsShared) {
  const Scratch scratch;
  Arguments two = training(some_data(scratch), scratch.at("two"), "512");
  two.insert(two.end(), {"--jobs", "2"});
  const Outcome outcome = dshn(two, {.memory_limit = 3072 * kMiB});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("in each of 2 processes"));
}

}  // namespace
}  // namespace dshn::cli::test
