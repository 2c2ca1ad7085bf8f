#include "cli/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dshn/base/utf8.hpp"

namespace dshn::cli {
namespace {

struct Range {
  char32_t first, last;
};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(), [c](Range r) { return c >= r.first && c <= r.last; });
}

constexpr std::array kCombining{Range{0x300, 0x36F}, Range{0x200B, 0x200F}, Range{0x20D0, 0x20FF},
                                Range{0xFE00, 0xFE0F}};
constexpr std::array kWide{Range{0x1100, 0x115F}, Range{0x2E80, 0xA4CF},   Range{0xAC00, 0xD7A3},
                           Range{0xF900, 0xFAFF}, Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},
                           Range{0xFFE0, 0xFFE6}, Range{0x1F300, 0x1FAFF}, Range{0x20000, 0x3FFFD}};
/// C0, DEL, C1, line separators, and the marks that reorder what follows them.
constexpr std::array kControl{Range{0x00, 0x1F},     Range{0x7F, 0x9F},     Range{0x2028, 0x202E},
                              Range{0x2066, 0x2069}, Range{0x200E, 0x200F}, Range{0xFEFF, 0xFEFF}};

int width_of(char32_t c) {
  if (within(kCombining, c)) return 0;
  return within(kWide, c) ? 2 : 1;
}

/// What stood at the front of a text: a character, or a byte that begins none.
struct Glyph {
  std::string_view bytes;
  int width = 1;
  bool printable = false;
};

Glyph take_glyph(std::string_view& text) {
  const CodePoint c = first_code_point(text);
  const std::string_view bytes = text.substr(0, std::max<std::size_t>(c.bytes, 1));
  text.remove_prefix(bytes.size());
  if (c.bytes == 0) return {bytes};
  return {bytes, width_of(c.value), !within(kControl, c.value)};
}

void append_escaped(std::string& out, std::string_view bytes) {
  if (bytes == "\n") {
    out += "\\n";
  } else if (bytes == "\t") {
    out += "\\t";
  } else if (bytes == "\r") {
    out += "\\r";
  } else {
    for (const char byte : bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  }
}

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) width += take_glyph(text).width;
  return width;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Glyph glyph = take_glyph(text);
    if (glyph.printable) {
      out += glyph.bytes;
    } else {
      append_escaped(out, glyph.bytes);
    }
  }
  return out;
}

std::string with_commas(std::int64_t value) {
  std::string digits = std::to_string(value);
  const int first = value < 0 ? 1 : 0;
  for (int i = static_cast<int>(digits.size()) - 3; i > first; i -= 3) digits.insert(i, 1, ',');
  return digits;
}

std::string human_bytes(std::int64_t bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.95 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string shorten(std::string_view text, int width) {
  if (display_width(text) <= width) return std::string(text);
  std::string out;
  int used = 0;
  while (!text.empty()) {
    const Glyph glyph = take_glyph(text);
    used += glyph.width;
    if (used > width - 1) break;
    out += glyph.bytes;
  }
  return out + "…";
}

std::vector<std::string> wrapped(std::string_view text, int width) {
  if (display_width(text) <= width) return {std::string(text)};
  std::vector<std::string> lines(1);
  int used = 0;
  const auto begin_line = [&] {
    lines.emplace_back();
    used = 0;
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (used > 0 && used + 1 + display_width(word) > width) {
      begin_line();
    } else if (used > 0) {
      lines.back() += ' ';
      ++used;
    }
    while (!word.empty()) {
      const Glyph glyph = take_glyph(word);
      if (used > 0 && used + glyph.width > width) begin_line();
      lines.back() += glyph.bytes;
      used += glyph.width;
    }
  }
  return lines;
}

std::string fixed(double value, int decimals) {
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  return text.find_first_of("123456789") == std::string::npos && std::isfinite(value) ? "0" : text;
}

}  // namespace dshn::cli
