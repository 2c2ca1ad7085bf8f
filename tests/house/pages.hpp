#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "house/this_house.hpp"

namespace dshn::house {

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What the pattern's first group captures, one after the other.
inline std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern, std::regex::ECMAScript | std::regex::multiline);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it)
    found.push_back((*it)[1]);
  return found;
}

/// What is in docs/ and the pages outside of it.
inline std::vector<std::filesystem::path> pages_of_this_house() {
  std::vector<std::filesystem::path> pages{kRoot / "README.md",      kRoot / "CONTRIBUTING.md",
                                           kRoot / "CHANGELOG.md",   kRoot / "SECURITY.md",
                                           kRoot / "THIRD-PARTY.md", kRoot / "tests/golden/README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(kRoot / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  return pages;
}

}  // namespace dshn::house
