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

/// What a file is that people give for text, by its first bytes, and what helps; empty: nothing known.
inline std::string_view other_than_text(std::string_view start) {
  if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff"))
    return "text in UTF-16; save it as UTF-8";
  const auto holds = [&](std::string_view name) { return start.find(name) != std::string_view::npos; };
  const bool archive = start.starts_with("PK\x03\x04");
  const bool workbook = archive && (holds("[Content_Types].xml") || holds("opendocument.spreadsheet"));
  if (workbook || start.starts_with("\xd0\xcf\x11\xe0")) return "a workbook; save its sheet as CSV in UTF-8";
  return "";
}

}  // namespace dshn::io
