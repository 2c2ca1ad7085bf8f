#include "data/content_range.hpp"

#include <charconv>

namespace dshn::data {

std::int64_t range_start(std::string_view line) {
  constexpr std::string_view kRange = "content-range: bytes ";
  if (line.size() <= kRange.size()) return -1;
  for (std::size_t i = 0; i < kRange.size(); ++i) {
    const char c = line[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != kRange[i]) return -1;
  }
  std::int64_t start = -1;
  std::from_chars(line.data() + kRange.size(), line.data() + line.size(), start);
  return start < 0 ? -1 : start;
}

}  // namespace dshn::data
