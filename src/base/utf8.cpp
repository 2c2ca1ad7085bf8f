#include "dshn/base/utf8.hpp"

#include <algorithm>
#include <array>

namespace dshn {
namespace {

/// Smallest code point that needs a sequence of that many bytes; anything smaller is an overlong form.
constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};

bool is_scalar(char32_t c) {
  return c < 0xd800 || (c > 0xdfff && c <= 0x10ffff);
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
  if (text.empty()) return {};
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return {};
  char32_t value = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0U) != 0x80) return {};
    value = (value << 6U) | (next & 0x3fU);
  }
  return value >= kSmallest[length] && is_scalar(value) ? CodePoint{value, length} : CodePoint{};
}

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = first_code_point(text.substr(at)).bytes;
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(std::max<std::size_t>(first_code_point(text).bytes, 1));
  return count;
}

bool append_utf8(std::string& out, char32_t c) {
  if (!is_scalar(c)) return false;
  const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;  // bytes after the first
  const char32_t mark = more == 0 ? 0 : (0xff00U >> static_cast<unsigned>(more + 1)) & 0xffU;
  out += static_cast<char>(mark | (c >> static_cast<unsigned>(6 * more)));
  for (int i = more - 1; i >= 0; --i)
    out += static_cast<char>(0x80 | ((c >> static_cast<unsigned>(6 * i)) & 0x3f));
  return true;
}

}  // namespace dshn
