// Pages are read in editors and terminals too: no line of them is long, code and addresses apart.
#include "house/pages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "dshn/base/utf8.hpp"
#include "house/temporary_tree.hpp"

namespace dshn::house {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

/// "page:line: characters" of what is too long, outside of code. A row of a table cannot be broken.
std::vector<std::string> long_lines(const fs::path& page) {
  std::vector<std::string> found;
  std::ifstream in(page);
  bool code = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find("```") != std::string::npos) code = !code;
    const std::size_t width = count_code_points(line);
    if (!code && width > (line.starts_with("|") ? 150 : 120))
      found.push_back(page.filename().string() + ":" + std::to_string(number) + ": " + std::to_string(width));
  }
  return found;
}

TEST(Pages, HaveNoLongLines) {
  const auto pages = pages_of_this_house();

  EXPECT_GE(pages.size(), 12U);
  for (const fs::path& page : pages) EXPECT_THAT(long_lines(page), IsEmpty());
}

TEST(Pages, ALongLineIsNoticed) {
  const TemporaryTree tree;
  tree.write("page.md", "short\n" + std::string(121, 'x') + "\n```\n" + std::string(121, 'x') + "\n```\n");

  EXPECT_THAT(long_lines(tree.root() / "page.md"), ElementsAre("page.md:2: 121"));
}

}  // namespace
}  // namespace dshn::house
