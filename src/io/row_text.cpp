#include "io/row_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "dshn/base/error.hpp"
#include "dshn/base/system_memory.hpp"
#include "io/text_words.hpp"

namespace dshn::io {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::size_t kFirstPiece = std::size_t{1} << 14;  // most tables are small
/// How often it is asked whether there is memory for more.
constexpr std::size_t kBetweenLooks = std::size_t{1} << 27;

/// The text may double while it grows.
void require_memory(std::size_t size, const std::string& name) {
  if (size % kBetweenLooks < kPiece && size > kPiece &&
      static_cast<std::int64_t>(2 * size) > available_memory())
    throw Failure(fmt::format("{}: its rows are longer than {} MiB, for which there is not enough memory",
                              name, size >> 20));
}

/// What a zero byte at this place of the text that begins with `start` says.
[[noreturn]] void refuse_zero(const std::string& name, std::int64_t at, std::string_view start) {
  if (const std::string_view other = other_than_text(start); !other.empty())
    throw InvalidInput(fmt::format("{}: {}", name, other));
  throw InvalidInput(fmt::format("{}, byte {}: not a text file", name, at));
}

}  // namespace

RowText::RowText(ByteReader& bytes, bool comments, const Progress& progress) : comments_(comments) {
  std::int64_t seen = 0;
  std::size_t got = 0;
  std::size_t piece = kFirstPiece;
  do {
    const std::size_t fresh = text_.size();
    require_memory(fresh, bytes.name());
    piece = std::min(seen == 0 ? piece : 4 * piece, kPiece);
    text_.resize(fresh + piece);
    got = bytes.read(std::span(text_).subspan(fresh));
    text_.resize(fresh + got);
    if (const std::size_t zero = text_.find('\0', fresh); zero != std::string::npos)
      refuse_zero(bytes.name(), seen + static_cast<std::int64_t>(zero - fresh), seen == 0 ? text_ : "");
    if (seen == 0 && text_.starts_with(kByteOrderMark)) text_.erase(0, kByteOrderMark.size());
    seen += static_cast<std::int64_t>(got);
    take(std::min(fresh, text_.size()));
    if (progress) progress(bytes.bytes_done(), bytes.bytes_total());
  } while (got == piece);
  if (seen == 0) throw InvalidInput(fmt::format("{}: the file is empty", bytes.name()));
}

bool RowText::is_comment(std::size_t begin, std::size_t end) const {
  return comments_ && !quoted_ && end - begin > 1 && text_[begin] == '#' && text_[begin + 1] != '%';
}

bool RowText::says_nothing(std::size_t begin, std::size_t end) const {
  if (quoted_) return false;
  const bool lone = comments_ && end - begin == 1 && text_[begin] == '#';
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  return lone || is_comment(begin, end) ||
         std::all_of(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                     text_.begin() + static_cast<std::ptrdiff_t>(end), is_blank);
}

/// What was read from `fresh` on may end lines: each is moved up to where the last one that counts ends, or dropped.
void RowText::take(std::size_t fresh) {
  std::size_t out = begin_;
  const auto keep = [&](std::size_t begin, std::size_t end) {
    if (out != begin) std::memmove(text_.data() + out, text_.data() + begin, end - begin);
    out += end - begin;
  };
  for (std::size_t end = text_.find('\n', fresh); end != std::string::npos; end = text_.find('\n', begin_)) {
    if (says_nothing(begin_, end)) {
      if (gaps_.empty() || gaps_.back().at != out) gaps_.push_back({out, 0});
      ++gaps_.back().lines;
    } else {
      const auto quotes = std::count(text_.begin() + static_cast<std::ptrdiff_t>(begin_),
                                     text_.begin() + static_cast<std::ptrdiff_t>(end), '"');
      quoted_ = quoted_ != (quotes % 2 == 1);
      keep(begin_, end + 1);
    }
    begin_ = end + 1;
  }
  const std::size_t line = out;
  // Of a long comment its beginning is enough.
  const std::size_t last = is_comment(begin_, text_.size()) ? begin_ + 2 : text_.size();
  keep(begin_, last);
  text_.resize(out);
  begin_ = line;
}

}  // namespace dshn::io
