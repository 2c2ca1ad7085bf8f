// What must not be in a tracked file: paths of somebody's machine, conflict markers, large files.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "house/this_house.hpp"

namespace dshn::house {
namespace {

constexpr std::uintmax_t kLargestFile = 1U << 20U;

/// Tracked files that exist; empty outside a git checkout (a release archive).
std::vector<std::string> tracked_files() {
  const std::string command = "git -C '" + kRoot.string() + "' ls-files -z 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::vector<std::string> files;
  std::string name;
  for (int c = fgetc(pipe.get()); c != EOF; c = fgetc(pipe.get())) {
    if (c != 0) {
      name.push_back(static_cast<char>(c));
    } else {
      if (std::filesystem::is_regular_file(kRoot / name)) files.push_back(name);
      name.clear();
    }
  }
  return files;
}

/// "somebody" is the user of examples and tests.
bool names_a_machine(const std::string& line) {
  static const std::regex path(
      R"((^|[^A-Za-z0-9_.}/-])/(home/(?!somebody)|(root|Users|work|workspace|mnt|tmp|var/tmp|var/folders)/))");
  return std::regex_search(line, path);
}

bool is_conflict_marker(const std::string& line) {
  return line.starts_with(
             "<<<<<<"
             "< ") ||
         line.starts_with(
             ">>>>>>"
             "> ");
}

TEST(Hygiene, TrackedFilesNameNoMachineAndHoldNoConflict) {
  const auto files = tracked_files();
  if (files.empty()) GTEST_SKIP() << "not a git checkout: there is no list of tracked files";

  for (const std::string& file : files) {
    if (file == "tests/house/hygiene_test.cpp") continue;  // holds the examples below
    std::ifstream in(kRoot / file);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      EXPECT_FALSE(names_a_machine(line)) << file << ":" << number << ": an absolute path: " << line;
      EXPECT_FALSE(is_conflict_marker(line)) << file << ":" << number << ": a conflict marker";
    }
  }
}

TEST(Hygiene, TrackedFilesAreSmall) {
  const auto files = tracked_files();
  if (files.empty()) GTEST_SKIP() << "not a git checkout: there is no list of tracked files";

  for (const std::string& file : files) {
    EXPECT_LE(std::filesystem::file_size(kRoot / file), kLargestFile) << file;
  }
}

TEST(Hygiene, AMachinePathIsRecognised) {
  EXPECT_TRUE(names_a_machine("set(DATA \"/home/alice/data\")"));
  EXPECT_TRUE(names_a_machine("/root/x"));
  EXPECT_TRUE(names_a_machine("cd /mnt/disk"));
  EXPECT_TRUE(names_a_machine("cmake -S . -B /tmp/build-7"));
  EXPECT_FALSE(names_a_machine("folder=${TMPDIR:-/tmp}/dshn"));
  EXPECT_FALSE(names_a_machine("dataset/data/tmp/x"));
  EXPECT_FALSE(names_a_machine("const Environment home(\"HOME\", \"/home/somebody\");"));
  EXPECT_FALSE(names_a_machine("https://example.org/home/index.html"));
  EXPECT_FALSE(names_a_machine("/usr/share/common-licenses"));
  EXPECT_FALSE(names_a_machine("$HOME/work/x"));
}

}  // namespace
}  // namespace dshn::house
