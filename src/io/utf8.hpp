#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace dshn::io {

/// Appends one code point as UTF-8; false, and nothing appended, for a surrogate or a number beyond Unicode.
bool append_utf8(std::string& out, char32_t c);

/// The code points of `text`; nothing where it is not UTF-8.
std::optional<std::u32string> decode_utf8(std::string_view text);

/// Length of the well-formed UTF-8 sequence at the front of `text` (Unicode, table 3-7), or 0.
inline std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto tail = [&](std::size_t i) { return byte(i) >= 0x80 && byte(i) <= 0xbf; };
  const unsigned first = byte(0);
  if (first < 0x80) return text.empty() ? 0 : 1;
  if (first >= 0xc2 && first <= 0xdf) return tail(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool overlong = first == 0xe0 && byte(1) < 0xa0;
    const bool surrogate = first == 0xed && byte(1) > 0x9f;
    return !overlong && !surrogate && tail(1) && tail(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool overlong = first == 0xf0 && byte(1) < 0x90;
    const bool beyond = first == 0xf4 && byte(1) > 0x8f;
    return !overlong && !beyond && tail(1) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

/// Byte of the first ill-formed sequence, or npos.
inline std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

}  // namespace dshn::io
