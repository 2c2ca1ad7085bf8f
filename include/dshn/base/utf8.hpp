#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dshn {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;  // 0 where there is no well-formed sequence
};

/// The code point at the front of `text`, if the UTF-8 there is well-formed (Unicode, table 3-7): neither
/// overlong nor a surrogate nor beyond Unicode.
CodePoint first_code_point(std::string_view text);

/// Byte of the first ill-formed sequence, or npos.
std::size_t find_invalid_utf8(std::string_view text);

/// An ill-formed byte counts as one.
std::size_t count_code_points(std::string_view text);

/// Appends one code point; false, and nothing appended, for a surrogate or a number beyond Unicode.
bool append_utf8(std::string& out, char32_t c);

}  // namespace dshn
