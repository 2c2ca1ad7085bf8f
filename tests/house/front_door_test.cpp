// What the documents promise, the Makefile keeps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "house/pages.hpp"
#include "house/temporary_tree.hpp"

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

/// The name by which a heading is linked: lower case, a hyphen for a space, no other signs.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_')
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (c == ' ')
      anchor += '-';
  }
  return anchor;
}

bool has_heading(const std::filesystem::path& page, const std::string& anchor) {
  const auto headings = matches(content_of(page), "^#+ (.*)$");
  return std::ranges::any_of(headings, [&](const std::string& h) { return anchor_of(h) == anchor; });
}

/// Relative links of a page that lead nowhere.
std::vector<std::string> dead_links(const std::filesystem::path& page) {
  std::vector<std::string> dead;
  for (const std::string& link : distinct_matches(content_of(page), "(?:\\]\\(|src=\"|srcset=\")([^)\"]+)")) {
    if (link.find("://") != std::string::npos) continue;
    const std::size_t hash = link.find('#');
    const std::string file = link.substr(0, hash);
    const std::filesystem::path target = file.empty() ? page : page.parent_path() / file;
    if (!std::filesystem::exists(target) ||
        (hash != std::string::npos && !has_heading(target, link.substr(hash + 1))))
      dead.push_back(link);
  }
  return dead;
}

TEST(FrontDoor, ALinkThatLeadsNowhereIsNoticed) {
  const TemporaryTree tree;
  tree.write("a.md",
             "# A\n\n## `b c --d`, E\n\n[1](#b-c---d-e) [2](#f) [3](g.md) [4](https://example.org/#x)\n");

  EXPECT_THAT(dead_links(tree.root() / "a.md"), testing::ElementsAre("#f", "g.md"));
}

TEST(FrontDoor, LinksBetweenPagesLeadSomewhere) {
  for (const auto& page : pages_of_this_house()) EXPECT_THAT(dead_links(page), IsEmpty()) << page;
}

}  // namespace
}  // namespace dshn::house
