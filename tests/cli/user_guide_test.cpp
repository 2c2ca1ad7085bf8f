// docs/user-guide.md and --help name the same flags.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <set>

#include "cli/subprocess.hpp"

namespace dshn::cli::test {
namespace {

using testing::IsEmpty;

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern, std::regex::ECMAScript | std::regex::multiline);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it)
    found.push_back((*it)[1]);
  return found;
}

std::set<std::string> flags_in(const std::string& text) {
  const auto found = matches(text, "(--[a-z][a-z-]*)");
  return {found.begin(), found.end()};
}

std::set<std::string> difference(const std::set<std::string>& all, const std::set<std::string>& known) {
  std::set<std::string> rest;
  std::set_difference(all.begin(), all.end(), known.begin(), known.end(), std::inserter(rest, rest.end()));
  return rest;
}

/// The guide, cut before each heading of the second level.
std::vector<std::string> sections_of_the_guide() {
  const std::string guide = read_file(std::filesystem::path(DSHN_SOURCE_DIR) / "docs" / "user-guide.md");
  std::vector<std::string> sections;
  for (std::size_t begin = 0; begin != std::string::npos;) {
    const std::size_t end = guide.find("\n## ", begin + 1);
    sections.push_back(guide.substr(begin, end - begin));
    begin = end;
  }
  return sections;
}

/// "data list" of "## `dshn data list`": the words in small letters behind the program's name.
std::vector<std::string> commands_of(const std::string& section) {
  return matches(section.substr(0, section.find('\n', 1)), "`dshn ([a-z]+(?: [a-z]+)?)");
}

TEST(UserGuide, NamesTheFlagsThatHelpNames) {
  // What is said once for all commands.
  std::set<std::string> everywhere{"--help", "--halving"};
  std::size_t commands = 0;
  for (const std::string& section : sections_of_the_guide()) {
    const std::set<std::string> described = flags_in(section);
    if (commands_of(section).empty()) everywhere.insert(described.begin(), described.end());
    std::set<std::string> known = everywhere;
    for (const std::string& command : commands_of(section)) {
      Arguments words = matches(command, "([a-z]+)");
      words.emplace_back("--help");
      const Outcome help = dshn(words);
      if (help.status == 2) continue;  // built without libtorch
      ++commands;
      const std::set<std::string> flags = flags_in(help.out);
      std::set<std::string> told = described;
      told.insert(everywhere.begin(), everywhere.end());
      EXPECT_THAT(difference(flags, told), IsEmpty()) << command << ": not in the guide";
      known.insert(flags.begin(), flags.end());
    }
    if (known == everywhere && !commands_of(section).empty()) continue;
    const std::vector<std::string> rows = matches(section, "^\\| `(--[a-z-]+)");
    EXPECT_THAT(difference({rows.begin(), rows.end()}, known), IsEmpty())
        << section.substr(0, section.find('\n', 1)) << ": not in --help";
  }
  EXPECT_GE(commands, 6U);
}

}  // namespace
}  // namespace dshn::cli::test
