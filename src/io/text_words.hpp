#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace dshn::io {

/// Some programs put it in front of UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// In small letters, as far as they are ASCII.
inline std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  });
  return out;
}

inline bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace dshn::io
