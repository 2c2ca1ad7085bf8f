// What fuzzing begins with, and all that it ever found, as plain tests.
#include <gtest/gtest.h>

#include <set>

#include "fuzz/target.hpp"

namespace dshn::fuzz {
namespace {

namespace fs = std::filesystem;

const fs::path kFindings = fs::path(DSHN_SOURCE_DIR) / "fuzz/findings";

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, ValidSeedsAreRead) {
  const std::vector<std::string> seeds = GetParam().valid();
  EXPECT_FALSE(seeds.empty());
  for (std::size_t i = 0; i < seeds.size(); ++i) EXPECT_NO_THROW(GetParam().read(seeds[i])) << "valid-" << i;
}

TEST_P(Corpus, MalformedSeedsAreRefused) {
  const std::vector<std::string> seeds = GetParam().malformed();
  EXPECT_FALSE(seeds.empty());
  for (std::size_t i = 0; i < seeds.size(); ++i)
    EXPECT_FALSE(accepts(GetParam(), seeds[i])) << "malformed-" << i;
}

TEST_P(Corpus, FormerFindingsAreReadOrRefused) {
  const fs::path folder = kFindings / GetParam().name;
  if (!fs::exists(folder)) return;
  for (const auto& finding : fs::directory_iterator(folder))
    EXPECT_NO_THROW(accepts(GetParam(), content_of(finding.path()))) << finding.path().filename();
}

INSTANTIATE_TEST_SUITE_P(Every, Corpus, testing::ValuesIn(targets()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Findings, AreKeptUnderTheNameOfATarget) {
  std::set<std::string> names;
  for (const Target& target : targets()) names.insert(target.name);
  if (!fs::exists(kFindings)) return;
  for (const auto& folder : fs::directory_iterator(kFindings))
    EXPECT_TRUE(names.contains(folder.path().filename().string())) << folder.path();
}

}  // namespace
}  // namespace dshn::fuzz
