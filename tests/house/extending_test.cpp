// docs/extending.md lists the files of an example of each kind of addition: the lists are true, and what is there
// follows them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <utility>
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

std::string quoted(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return '"' + name + '"';
}

std::string in_code(const std::string& name) {
  std::string code = quoted(name);
  code.front() = code.back() = '`';
  return code;
}

/// "data_list" is the command "list" of a group.
std::string last_word(const std::string& name) {
  return quoted(name.substr(name.rfind('_') + 1));
}

std::string camel_case(const std::string& name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '_') continue;
    const bool first = i == 0 || name[i - 1] == '_';
    out += first ? static_cast<char>(std::toupper(static_cast<unsigned char>(name[i]))) : name[i];
  }
  return out;
}

/// Where things of one kind are defined, registered and tested.
struct Plug {
  std::string kind;
  std::string sources;
  std::string definition;  // captures the name
  std::string list;        // empty: the file of the definition
  std::function<std::string(const std::string&)> listed_as;
  std::string tests;
  std::function<std::string(const std::string&)> tested_as;
  bool in_guide = false;  // the user guide lists all by name
};

std::vector<Plug> plugs() {
  const auto word = [](const std::string& name) { return " " + name; };
  return {
      {"model", "src/models", "^ModelEntry (\\w+)_entry\\(\\) \\{", "src/models/CMakeLists.txt", word,
       "tests/models", quoted, true},
      {"map kind", "src/sheaf/map_kinds", "^MapKind (\\w+)_maps\\(\\) \\{", "src/sheaf/CMakeLists.txt", word,
       "tests/sheaf", quoted, true},
      {"format", "src/io/formats", "^Format (\\w+)_format\\(\\) \\{", "src/io/CMakeLists.txt", word,
       "tests/io", quoted},
      {"sampler", "src/tune/samplers", "^std::unique_ptr<Sampler> (\\w+)_sampler\\(",
       "src/tune/CMakeLists.txt", word, "tests/tune", quoted, true},
      {"command", "src/cli", "^void add_((?!data\\()\\w+)\\(CLI::App& \\w+, Context&",
       "src/cli/CMakeLists.txt", word, "tests/cli", last_word},
      {"operator", "src/ops", "kSchema\\[\\] =\\s*\"(\\w+)\\(", "",
       [](const std::string& name) { return "<" + camel_case(name) + ">(m)"; }, "tests/ops",
       [](const std::string& name) { return name + "("; }},
  };
}

/// Names that the kind's sources define, each with the text of the file.
std::vector<std::pair<std::string, std::string>> definitions(const Plug& plug) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& file : fs::recursive_directory_iterator(kRoot / plug.sources)) {
    if (file.path().extension() != ".cpp") continue;
    const std::string content = content_of(file.path());
    for (const std::string& name : matches(content, plug.definition)) found.emplace_back(name, content);
  }
  return found;
}

/// Whether a test below the folder has the word; tests of every such thing do not count.
bool has_a_test(const fs::path& tests, const std::string& word) {
  return std::ranges::any_of(fs::recursive_directory_iterator(tests), [&](const fs::directory_entry& file) {
    const std::string base = file.path().filename().string();
    return base.ends_with("_test.cpp") && !base.starts_with("every_") &&
           contains(content_of(file.path()), word);
  });
}

TEST(Extending, ListsOfFilesAreTrue) {
  const fs::path page = kRoot / "docs" / "extending.md";
  std::vector<std::string> kinds;
  for (const auto& [kind, rows] : lists_of(page)) kinds.push_back(kind);

  EXPECT_THAT(kinds, ElementsAre("command", "format", "map kind", "model", "operator", "sampler", "target"));
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
  const std::string guide = content_of(kRoot / "docs" / "user-guide.md");
  for (const Plug& plug : plugs()) {
    const auto found = definitions(plug);
    EXPECT_GE(found.size(), 3U) << plug.kind;
    for (const auto& [name, file] : found) {
      const std::string list = plug.list.empty() ? file : content_of(kRoot / plug.list);
      EXPECT_TRUE(contains(list, plug.listed_as(name))) << plug.kind << " " << name << " is not registered";
      EXPECT_TRUE(has_a_test(kRoot / plug.tests, plug.tested_as(name)))
          << plug.kind << " " << name << " has no test";
      EXPECT_TRUE(!plug.in_guide || contains(guide, in_code(name)))
          << plug.kind << " " << name << " is not in docs/user-guide.md";
    }
  }
}

}  // namespace
}  // namespace dshn::house
