#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dshn::cli {

/// Columns that UTF-8 text takes on a terminal: combining marks take none, East Asian wide characters two.
int display_width(std::string_view text);

/// Text from outside made safe to print on one line: control characters and bytes that are not UTF-8 become
/// escapes such as \n and \x1b.
std::string printable(std::string_view text);

/// 1234567 as "1,234,567".
std::string with_commas(std::int64_t value);

/// 20401489 as "20.4 MB".
std::string human_bytes(std::int64_t bytes);

/// At most `width` columns, the end cut and marked by an ellipsis.
std::string shorten(std::string_view text, int width);

/// Lines of at most that many columns, broken between words; within one only where it is too long for a line.
std::vector<std::string> wrapped(std::string_view text, int width);

/// So many decimals; what rounds to zero, from either side, is "0".
std::string fixed(double value, int decimals);

}  // namespace dshn::cli
