#include "io/utf8.hpp"

namespace dshn::io {
namespace {

bool is_scalar(char32_t c) {
  return c < 0xd800 || (c > 0xdfff && c <= 0x10ffff);
}

/// Bytes in the sequence that starts with this byte; 0 where none can.
int sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  if (first >= 0xf0 && first < 0xf5) return 4;
  return 0;
}

}  // namespace

bool append_utf8(std::string& out, char32_t c) {
  if (!is_scalar(c)) return false;
  const auto put = [&out](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | (c >> 6));
    put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3f));
    put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3f));
    put(0x80 | ((c >> 6) & 0x3f));
    put(0x80 | (c & 0x3f));
  }
  return true;
}

std::optional<std::u32string> decode_utf8(std::string_view text) {
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const int length = sequence_length(first);
    if (length == 0 || i + static_cast<std::size_t>(length) > text.size()) return std::nullopt;
    char32_t c = length == 1 ? first : first & (0xffU >> (length + 1));
    for (int k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]);
      if ((next & 0xc0) != 0x80) return std::nullopt;
      c = (c << 6) | (next & 0x3f);
    }
    if (c < kSmallest[length] || !is_scalar(c)) return std::nullopt;
    out += c;
    i += static_cast<std::size_t>(length);
  }
  return out;
}

}  // namespace dshn::io
