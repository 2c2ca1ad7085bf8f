// docs/extending.md lists the files of an example of each kind of addition: the lists are true, and what is there
// follows them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "house/pages.hpp"
#include "house/temporary_tree.hpp"

namespace dshn::house {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

bool contains(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

/// Rows of the tables behind "<!-- files: KIND -->", by kind: a file, then words that stand in it.
std::map<std::string, std::vector<std::vector<std::string>>> lists_of(const fs::path& page) {
  std::map<std::string, std::vector<std::vector<std::string>>> lists;
  std::ifstream in(page);
  std::string kind;
  for (std::string line; std::getline(in, line);) {
    const auto marked = matches(line, "^<!-- files: (.+) -->$");
    if (!marked.empty()) kind = marked[0];
    if (line.empty()) kind.clear();
    if (!kind.empty() && line.starts_with("| `")) lists[kind].push_back(matches(line, "`([^`]+)`"));
  }
  return lists;
}

/// What is wrong with the lists of a page.
std::vector<std::string> untrue_rows(const fs::path& root, const fs::path& page) {
  std::vector<std::string> wrong;
  for (const auto& [kind, rows] : lists_of(page)) {
    for (const std::vector<std::string>& row : rows) {
      if (!fs::is_regular_file(root / row[0])) {
        wrong.push_back(kind + ": there is no " + row[0]);
        continue;
      }
      const std::string content = content_of(root / row[0]);
      for (std::size_t i = 1; i < row.size(); ++i)
        if (!contains(content, row[i])) wrong.push_back(kind + ": " + row[0] + " has no " + row[i]);
    }
  }
  return wrong;
}

/// Where things of one kind are defined, registered and tested.
struct Plug {
  std::string kind;
  std::string sources;
  std::string definition;  // captures the name
  std::string list;
  std::string before, after;  // of the name in the list
  std::string tests;
};

const std::vector<Plug> kPlugs{
    {"model", "src/models", "^ModelEntry (\\w+)_entry\\(\\) \\{", "src/models/CMakeLists.txt", " ", "",
     "tests/models"},
    {"map kind", "src/sheaf/map_kinds", "^MapKind (\\w+)_maps\\(\\) \\{", "src/sheaf/CMakeLists.txt", " ", "",
     "tests/sheaf"},
    {"format", "src/io/formats", "^Format (\\w+)_format\\(\\) \\{", "src/io/CMakeLists.txt", " ", "",
     "tests/io"},
    {"sampler", "src/tune/samplers", "^std::unique_ptr<Sampler> (\\w+)_sampler\\(", "src/tune/CMakeLists.txt",
     " ", "", "tests/tune"},
    {"command", "src/cli/learning", "^void add_(\\w+)\\(CLI::App& app, Context&", "src/cli/CMakeLists.txt",
     " ", "", "tests/cli"},
};

std::vector<std::string> defined_names(const Plug& plug) {
  std::vector<std::string> names;
  for (const auto& file : fs::recursive_directory_iterator(kRoot / plug.sources)) {
    if (file.path().extension() != ".cpp") continue;
    const auto found = matches(content_of(file.path()), plug.definition);
    names.insert(names.end(), found.begin(), found.end());
  }
  return names;
}

/// Whether a test of the folder names the thing in quotes; tests of every such thing do not count.
bool has_a_test(const fs::path& tests, const std::string& name) {
  return std::ranges::any_of(fs::directory_iterator(tests), [&](const fs::directory_entry& file) {
    const std::string base = file.path().filename().string();
    return base.ends_with("_test.cpp") && !base.starts_with("every_") &&
           contains(content_of(file.path()), '"' + name + '"');
  });
}

TEST(Extending, ListsOfFilesAreTrue) {
  const fs::path page = kRoot / "docs" / "extending.md";
  std::vector<std::string> kinds;
  for (const auto& [kind, rows] : lists_of(page)) kinds.push_back(kind);

  EXPECT_THAT(kinds, ElementsAre("command", "format", "map kind", "model", "sampler"));
  EXPECT_THAT(untrue_rows(kRoot, page), IsEmpty());
}

TEST(Extending, AnUntrueRowIsNoticed) {
  const TemporaryTree tree;
  tree.write("src/a.cpp", "int a_entry();\n");
  tree.write("page.md",
             "<!-- files: thing -->\n| file | what |\n| --- | --- |\n| `src/a.cpp` | `a_entry`, `b_entry` |\n"
             "| `src/b.cpp` | `b_entry` |\n\n| `src/c.cpp` | behind the list |\n");

  EXPECT_THAT(untrue_rows(tree.root(), tree.root() / "page.md"),
              ElementsAre("thing: src/a.cpp has no b_entry", "thing: there is no src/b.cpp"));
}

TEST(Extending, WhatIsDefinedIsRegisteredAndHasATest) {
  for (const Plug& plug : kPlugs) {
    const std::string list = content_of(kRoot / plug.list);
    const auto names = defined_names(plug);
    EXPECT_GE(names.size(), 3U) << plug.kind;
    for (std::string name : names) {
      EXPECT_TRUE(contains(list, plug.before + name + plug.after)) << plug.kind << " " << name;
      std::replace(name.begin(), name.end(), '_', '-');
      EXPECT_TRUE(has_a_test(kRoot / plug.tests, name)) << plug.kind << " " << name;
    }
  }
}

}  // namespace
}  // namespace dshn::house
