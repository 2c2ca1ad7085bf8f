// What the documents promise, the Makefile keeps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "house/pages.hpp"

namespace dshn::house {
namespace {

using testing::IsEmpty;
using testing::IsSubsetOf;

std::set<std::string> distinct_matches(const std::string& text, const std::string& pattern) {
  const auto found = matches(text, pattern);
  return {found.begin(), found.end()};
}

std::set<std::string> makefile_targets(const std::string& makefile) {
  return distinct_matches(makefile, "^([a-z][a-z-]*):(?!=)");
}

/// Targets named by a page: in code spans and at the start of lines of code blocks.
std::set<std::string> promised_targets(const std::string& page) {
  return distinct_matches(page, "(?:`|^\\s*(?:\\$ )?)make ([a-z][a-z-]*)");
}

TEST(FrontDoor, MakefileHasEveryTargetThatThePagesName) {
  const auto targets = makefile_targets(content_of(kRoot / "Makefile"));

  for (const char* page : {"README.md", "CONTRIBUTING.md", "docs/user-guide.md"}) {
    EXPECT_THAT(promised_targets(content_of(kRoot / page)), IsSubsetOf(targets)) << page;
  }
}

TEST(FrontDoor, ReadmeOpensWithDemoAndTest) {
  const std::string readme = content_of(kRoot / "README.md");
  const std::size_t begin = readme.find("```");
  ASSERT_NE(begin, std::string::npos);

  const std::string first_block = readme.substr(begin, readme.find("```", begin + 3) - begin);

  EXPECT_THAT(promised_targets(first_block), testing::ElementsAre("demo", "test"));
}

TEST(FrontDoor, AnInventedTargetIsNoticed) {
  const auto targets = makefile_targets("build: packages ## Compile\nJOBS := 2\n");

  EXPECT_THAT(targets, testing::ElementsAre("build"));
  EXPECT_THAT(promised_targets("Run `make coffee`, or\n\n    make build\n"),
              testing::ElementsAre("build", "coffee"));
  EXPECT_THAT(promised_targets("we make things\n"), IsEmpty());
}

/// Relative links of a page that lead nowhere.
std::vector<std::string> dead_links(const std::filesystem::path& page) {
  std::vector<std::string> dead;
  for (const std::string& link : matches(content_of(page), "(?:\\]\\(|src=\"|srcset=\")([^)\"#]+)")) {
    const bool elsewhere = link.find("://") != std::string::npos;
    if (!elsewhere && !std::filesystem::exists(page.parent_path() / link)) dead.push_back(link);
  }
  return dead;
}

TEST(FrontDoor, LinksBetweenPagesLeadSomewhere) {
  for (const auto& page : pages_of_this_house()) EXPECT_THAT(dead_links(page), IsEmpty()) << page;
}

}  // namespace
}  // namespace dshn::house
