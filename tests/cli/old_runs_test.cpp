// Runs that earlier versions of the program left.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/files.hpp"
#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using ::testing::HasSubstr;

/// A copy of what a version left, which the program may write into.
std::string left_by(const Scratch& scratch, const std::string& version) {
  std::filesystem::copy(std::filesystem::path(DSHN_SOURCE_DIR) / "tests/old" / version, scratch.at(version),
                        std::filesystem::copy_options::recursive);
  return scratch.at(version);
}

TEST(OldRuns, Of01AreEvaluatedAsTheyWereTrained) {
  const Scratch scratch;
  const std::string old = left_by(scratch, "0.1");
  for (const char* run : {"/dshn-nodes", "/hgnn-nodes"}) {
    const Outcome outcome = dshn({"evaluate", old + run, "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const auto stored = nlohmann::json::parse(read_file(old + run + "/result.json"));
    EXPECT_EQ(outcome.json()["test"]["mean"], stored["test"]["mean"]) << run;
    EXPECT_EQ(outcome.json()["val"]["mean"], stored["val"]["mean"]) << run;
  }
}

TEST(OldRuns, Of01PredictOnTheirOwnDataAlone) {
  const Scratch scratch;
  const std::string old = left_by(scratch, "0.1");
  const Outcome own = dshn({"predict", old + "/dshn-nodes"});
  EXPECT_EQ(own.status, 0) << own.err;
  const Outcome other = dshn({"predict", old + "/dshn-nodes", "--data", old + "/data"});
  EXPECT_EQ(other.status, 3);
  EXPECT_THAT(other.err, HasSubstr("a run of version 0.1, which did not keep how features were scaled"));
  EXPECT_TRUE(other.one_line()) << other.err;
}

TEST(OldRuns, Of01AreNotResumed) {
  const Scratch scratch;
  const std::string old = left_by(scratch, "0.1");
  const Outcome outcome =
      dshn({"train", "--resume", "--out", old + "/dshn-nodes", "--data", old + "/data", "--quiet"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("version '1'"));
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
}

}  // namespace
}  // namespace dshn::cli::test
