// Every promise of SECURITY.md names tests, and they are there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "house/pages.hpp"

namespace dshn::house {
namespace {

/// "Suite.Name" of every test in the sources.
std::set<std::string> all_tests() {
  std::set<std::string> names;
  const std::regex test("TEST(?:_F|_P)?\\(([A-Za-z0-9]+),\\s*([A-Za-z0-9]+)\\)");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / "tests")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string source = content_of(entry.path());
    for (std::sregex_iterator it(source.begin(), source.end(), test), end; it != end; ++it)
      names.insert((*it)[1].str() + "." + (*it)[2].str());
  }
  return names;
}

TEST(Security, EveryPromiseIsTested) {
  const std::string page = content_of(kRoot / "SECURITY.md");
  const std::size_t begin = page.find("<!-- promises:");
  ASSERT_NE(begin, std::string::npos);
  const std::string list = page.substr(begin, page.find("\n\n", begin) - begin);
  const std::set<std::string> tests = all_tests();
  const auto promises = matches(list, "^- ([^\n]+(?:\n  [^\n]+)*)");

  ASSERT_GT(promises.size(), 10U);
  for (const std::string& promise : promises) {
    const auto named = matches(promise, "`([A-Za-z0-9]+\\.[A-Za-z0-9]+)`");
    EXPECT_THAT(named, testing::Not(testing::IsEmpty())) << promise;
    EXPECT_THAT(named, testing::IsSubsetOf(tests)) << promise;
  }
}

}  // namespace
}  // namespace dshn::house
