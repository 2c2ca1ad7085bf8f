#include "io/python_dictionary.hpp"

#include <algorithm>

namespace dshn::io {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  while (!text.empty() && kBlanks.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  return text;
}

bool is_quote(char c) {
  return c == '\'' || c == '"';
}

/// Where the string that begins the text ends, behind its closing quote; npos where it does not.
std::size_t end_of_string(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == text[0])
      return i + 1;
  }
  return std::string_view::npos;
}

/// Where the value that begins the text ends: at a comma outside of all brackets and strings, or at its end.
std::size_t end_of_value(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_quote(c)) {
      const std::size_t length = end_of_string(text.substr(i));
      if (length == std::string_view::npos) return length;
      i += length - 1;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      return i;
    }
  }
  return text.size();
}

}  // namespace

std::optional<std::map<std::string, std::string>> parse_python_dictionary(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') return std::nullopt;
  std::map<std::string, std::string> entries;
  std::string_view rest = trimmed(text.substr(1, text.size() - 2));
  while (!rest.empty()) {
    if (!is_quote(rest.front())) return std::nullopt;
    const std::size_t key_end = end_of_string(rest);
    if (key_end == std::string_view::npos) return std::nullopt;
    const std::string key(rest.substr(1, key_end - 2));
    rest = trimmed(rest.substr(key_end));
    if (rest.empty() || rest.front() != ':') return std::nullopt;
    rest = trimmed(rest.substr(1));
    const std::size_t value_end = end_of_value(rest);
    if (value_end == std::string_view::npos || value_end == 0) return std::nullopt;
    entries[key] = std::string(trimmed(rest.substr(0, value_end)));
    rest = trimmed(rest.substr(std::min(value_end + 1, rest.size())));
  }
  return entries;
}

std::string_view python_number_text(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || text.back() != ')') return text;
  return text.substr(open + 1, text.size() - open - 2);
}

}  // namespace dshn::io
