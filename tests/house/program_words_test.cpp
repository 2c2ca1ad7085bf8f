// Messages of library rooms say what is wrong; what to type against it is the program's to say.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <vector>

#include "house/pages.hpp"

namespace dshn::house {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sources_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (std::regex_match(entry.path().extension().string(), std::regex("\\.(cpp|hpp|cu|cuh)")))
      files.push_back(entry.path());
  return files;
}

/// Everything but the program.
std::vector<fs::path> library_sources() {
  std::vector<fs::path> files = sources_of(kRoot / "include");
  for (const auto& room : fs::directory_iterator(kRoot / "src")) {
    if (!room.is_directory() || room.path().filename() == "cli") continue;
    const std::vector<fs::path> sources = sources_of(room.path());
    files.insert(files.end(), sources.begin(), sources.end());
  }
  return files;
}

/// The string literals of a source, without their quotes.
std::vector<std::string> literals_of(const std::string& text) {
  std::vector<std::string> literals;
  const auto skip_to = [&](const std::string& end, std::size_t from) {
    const std::size_t found = text.find(end, from);
    return found == std::string::npos ? text.size() : found + end.size();
  };
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = 0; at < text.size();) {
    if (text.compare(at, 2, "//") == 0) {
      at = skip_to("\n", at);
    } else if (text.compare(at, 2, "/*") == 0) {
      at = skip_to("*/", at);
    } else if (text.compare(at, 2, "R\"") == 0) {
      const std::size_t open = text.find('(', at);
      const std::string close = ')' + text.substr(at + 2, open - at - 2) + '"';
      const std::size_t end = skip_to(close, open);
      literals.push_back(text.substr(open + 1, end - close.size() - open - 1));
      at = end;
    } else if (text[at] == '"' || (text[at] == '\'' && (at == 0 || !is_word(text[at - 1])))) {
      std::size_t end = at + 1;
      while (end < text.size() && text[end] != text[at]) end += text[end] == '\\' ? 2 : 1;
      if (text[at] == '"') literals.push_back(text.substr(at + 1, end - at - 1));
      at = end + 1;
    } else {
      ++at;
    }
  }
  return literals;
}

std::set<std::string> found_in(const std::vector<fs::path>& files, const std::string& pattern) {
  std::set<std::string> found;
  for (const fs::path& file : files)
    for (const std::string& match : matches(content_of(file), pattern)) found.insert(match);
  return found;
}

/// A flag, or the program's name with one of its commands.
bool is_to_be_typed(const std::string& literal) {
  static const std::regex words = [] {
    std::string commands;
    for (const std::string& name : found_in(sources_of(kRoot / "src/cli"), R"x(add_subcommand\(\s*"(\w+)")x"))
      commands += (commands.empty() ? "" : "|") + name;
    return std::regex("(^|[^A-Za-z0-9-])(--[a-z]|dshn (" + commands + ")\\b)");
  }();
  return std::regex_search(literal, words);
}

TEST(ProgramWords, AreNotInTheMessagesOfLibraryRooms) {
  for (const fs::path& file : library_sources())
    for (const std::string& literal : literals_of(content_of(file)))
      EXPECT_FALSE(is_to_be_typed(literal))
          << fs::relative(file, kRoot).string() << ": \"" << literal
          << "\": give the error a topic and let src/cli/advice.cpp say what to type";
}

TEST(ProgramWords, StandInTheAdviceForEveryTopic) {
  const std::set<std::string> named = found_in(library_sources(), R"x(Topic\{"([a-z-]+)")x");
  EXPECT_FALSE(named.empty());
  EXPECT_EQ(named, found_in({kRoot / "src/cli/advice.cpp"}, R"x(Advice\{"([a-z-]+)")x"));
}

TEST(ProgramWords, AreRecognised) {
  for (const char* text :
       {"use --device", "--set x", "(--on-conflict=a)", "with: dshn data fetch x", "dshn train"})
    EXPECT_TRUE(is_to_be_typed(text)) << text;
  for (const char* text :
       {"a--b", "--", "-- %d", "#% dshn hyperedge list 1", "not a dshn model", "dshn training"})
    EXPECT_FALSE(is_to_be_typed(text)) << text;
  EXPECT_EQ(literals_of("f(\"a\\\"b\", '\"', 1'000'000, R\"(raw \"x\")\"); // \"no\"\n/* \"no\" */ \"c\""),
            (std::vector<std::string>{"a\\\"b", "raw \"x\"", "c"}));
}

}  // namespace
}  // namespace dshn::house
