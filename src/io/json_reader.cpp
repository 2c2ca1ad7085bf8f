#include "io/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "dshn/base/utf8.hpp"
#include "io/text_words.hpp"

namespace dshn::io {
namespace {

constexpr std::size_t kZeros = 16;  // find_special looks 8 bytes at a time

std::string printable(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7f ? fmt::format("'{}'", c) : fmt::format("byte 0x{:02x}", byte);
}

}  // namespace

const char* describe(JsonKind kind) {
  switch (kind) {
    case JsonKind::object:
      return "an object";
    case JsonKind::array:
      return "an array";
    case JsonKind::string:
      return "a string";
    case JsonKind::number:
      return "a number";
    case JsonKind::boolean:
      return "a boolean";
    case JsonKind::null:
      break;
  }
  return "null";
}

JsonReader::JsonReader(ByteReader& bytes, Progress progress, std::size_t chunk)
    : bytes_(bytes),
      progress_(std::move(progress)),
      chunk_(chunk),
      buffer_(kMaxNumber + chunk + kZeros),
      cursor_(buffer_.data()),
      end_(buffer_.data()) {
  if (ensure(kByteOrderMark.size()) >= kByteOrderMark.size() &&
      std::string_view(cursor_, kByteOrderMark.size()) == kByteOrderMark) {
    cursor_ += kByteOrderMark.size();
  }
}

bool JsonReader::refill(const char* keep) {
  const auto kept = static_cast<std::size_t>(end_ - keep);
  const auto ahead = cursor_ - keep;
  base_ = position(keep);
  std::copy(keep, end_, buffer_.data());
  const std::size_t got = bytes_.read(std::span(buffer_).subspan(kept, chunk_));
  cursor_ = buffer_.data() + ahead;
  end_ = buffer_.data() + kept + got;
  std::fill_n(buffer_.data() + kept + got, kZeros, '\0');
  if (progress_) progress_(bytes_.bytes_done(), bytes_.bytes_total());
  return got > 0;
}

std::size_t JsonReader::ensure(std::size_t count) {
  while (static_cast<std::size_t>(end_ - cursor_) < count && refill(cursor_)) {
  }
  return static_cast<std::size_t>(end_ - cursor_);
}

char JsonReader::skip_space_slow() {
  do {
    while (is_space(*cursor_)) ++cursor_;
  } while (cursor_ == end_ && refill(cursor_));
  return *cursor_;
}

JsonKind JsonReader::kind() {
  const char c = skip_space();
  switch (c) {
    case '{':
      return JsonKind::object;
    case '[':
      return JsonKind::array;
    case '"':
      return JsonKind::string;
    case 't':
    case 'f':
      return JsonKind::boolean;
    case 'n':
      return JsonKind::null;
    default:
      break;
  }
  if (c != '-' && !is_digit(c)) fail_expected("a value");
  return JsonKind::number;
}

JsonNumber JsonReader::number() {
  const char c = skip_space();
  if (c != '-' && !is_digit(c)) fail_expected("a number");
  return {scan_number()};
}

bool JsonReader::boolean() {
  const char c = skip_space();
  if (c != 't' && c != 'f') fail_expected("true or false");
  literal(c == 't' ? "true" : "false");
  return c == 't';
}

void JsonReader::null() {
  if (skip_space() != 'n') fail_expected("null");
  literal("null");
}

void JsonReader::literal(std::string_view word) {
  const std::size_t available = ensure(word.size());
  if (std::string_view(cursor_, std::min(available, word.size())) != word) {
    fail_at(position(cursor_), fmt::format("expected {}", word));
  }
  cursor_ += word.size();
}

void JsonReader::skip() {
  std::int64_t ignored = 0;
  switch (kind()) {
    case JsonKind::object:
      begin_object();
      while (next_key()) skip();
      return;
    case JsonKind::array:
      begin_array();
      while (next_element()) skip();
      return;
    case JsonKind::string:
      return skip_string();
    case JsonKind::number:
      if (!take_integer(ignored)) (void)scan_number();
      return;
    case JsonKind::boolean:
      return (void)boolean();
    case JsonKind::null:
      return null();
  }
}

void JsonReader::finish() {
  (void)skip_space();
  if (cursor_ != end_) {
    fail_at(position(cursor_), fmt::format("expected the end of the document, got {}", printable(*cursor_)));
  }
}

void JsonReader::keep_key() {
  kept_key_.assign(key_);
  key_ = kept_key_;
}

// Strings. The slow way copies what it decodes to scratch_, so nothing of the buffer has to be kept.

void JsonReader::skip_string() {
  const char* start = cursor_ + 1;
  const char* stop = find_special(start);
  if (*stop == '"') {
    cursor_ = stop + 1;
  } else {
    (void)scan_string_slow(start, stop, Keep::nothing);
  }
}

std::string_view JsonReader::scan_string_slow(const char* start, const char* special, Keep keep) {
  const std::int64_t opened = position(cursor_);
  scratch_.clear();
  if (keep == Keep::text) scratch_.assign(start, special);
  cursor_ = special;
  for (;;) {
    const auto c = static_cast<unsigned char>(*cursor_);
    if (cursor_ == end_) {
      if (!refill(cursor_)) fail_at(opened, "the document ends inside a string that starts here");
    } else if (c == '"') {
      ++cursor_;
      return scratch_;
    } else if (c == '\\') {
      scan_escape(keep);
    } else if (c < 0x20) {
      fail_at(position(cursor_),
              fmt::format("control character 0x{:02x} inside a string; write it as \\u{:04x}", c, c));
    } else if (c >= 0x80) {
      scan_utf8(keep);
    } else {
      scan_plain(keep);
    }
    if (scratch_.size() > kMaxString) fail_at(opened, "a string longer than 64 MiB");
  }
}

void JsonReader::scan_plain(Keep keep) {
  const char* stop = find_special(cursor_);
  if (keep == Keep::text) scratch_.append(cursor_, stop);
  cursor_ = stop;
}

void JsonReader::scan_utf8(Keep keep) {
  const std::size_t available = ensure(4);
  const std::size_t length = first_code_point({cursor_, std::min<std::size_t>(available, 4)}).bytes;
  if (length == 0) {
    fail_at(position(cursor_), fmt::format("{} is not UTF-8 here; HIF files are UTF-8", printable(*cursor_)));
  }
  if (keep == Keep::text) scratch_.append(cursor_, length);
  cursor_ += length;
}

void JsonReader::scan_escape(Keep keep) {
  const std::int64_t at = position(cursor_);
  if (ensure(2) < 2) fail_at(at, "the document ends inside an escape");
  const char c = cursor_[1];
  if (c == 'u') {
    const unsigned code_point = scan_unicode_escape();
    if (keep == Keep::text) append_utf8(scratch_, code_point);
    return;
  }
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const std::size_t which = kLetters.find(c);
  if (which == std::string_view::npos)
    fail_at(at, fmt::format("unknown escape: {} after a backslash", printable(c)));
  if (keep == Keep::text) scratch_ += kMeanings[which];
  cursor_ += 2;
}

/// \uXXXX at the cursor, or two of them that make a surrogate pair.
unsigned JsonReader::scan_unicode_escape() {
  const std::int64_t at = position(cursor_);
  const auto unit = [&]() -> unsigned {
    unsigned value = 0;
    const bool escaped = ensure(6) >= 6 && cursor_[0] == '\\' && cursor_[1] == 'u';
    const char* stop = escaped ? std::from_chars(cursor_ + 2, cursor_ + 6, value, 16).ptr : cursor_;
    if (!escaped || stop != cursor_ + 6)
      fail_at(at, "expected four hexadecimal digits after \\u, in pairs for surrogates");
    cursor_ += 6;
    return value;
  };
  const unsigned high = unit();
  if (high < 0xd800 || high > 0xdfff) return high;
  if (high >= 0xdc00) fail_at(at, "a low surrogate without a high one before it");
  const unsigned low = unit();
  if (low < 0xdc00 || low > 0xdfff) fail_at(at, "a high surrogate without a low one after it");
  return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

// Numbers.

std::string_view JsonReader::scan_number() {
  const auto belongs = [](char c) {
    return is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
  };
  const std::int64_t at = position(cursor_);
  std::size_t length = 0;
  for (;;) {
    while (belongs(cursor_[length])) ++length;
    if (length >= kMaxNumber) fail_at(at, fmt::format("a number of more than {} characters", kMaxNumber - 1));
    if (cursor_ + length != end_ || !refill(cursor_)) break;
  }
  const std::string_view text(cursor_, length);
  check_number(text, at);
  cursor_ += length;
  return text;
}

void JsonReader::check_number(std::string_view text, std::int64_t at) const {
  std::size_t i = 0;
  const auto next = [&] { return i < text.size() ? text[i] : '\0'; };
  const auto digits = [&] {
    const std::size_t start = i;
    while (is_digit(next())) ++i;
    return i - start;
  };
  if (next() == '-') ++i;
  const bool zero = next() == '0';
  const std::size_t whole = digits();
  bool good = whole > 0 && !(zero && whole > 1);
  if (good && next() == '.') {
    ++i;
    good = digits() > 0;
  }
  if (good && (next() == 'e' || next() == 'E')) {
    ++i;
    if (next() == '+' || next() == '-') ++i;
    good = digits() > 0;
  }
  if (!good || i != text.size()) fail_at(at, fmt::format("'{}' is not a number", text.substr(0, 40)));
}

JsonNumber::Integer JsonNumber::to_integer(std::int64_t& value) const {
  constexpr std::int64_t kHugeExponent = 1'000'000;
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  std::int64_t scale = 0;
  if (e < text.size()) {
    const std::size_t sign = text[e + 1] == '+' ? 1 : 0;
    const auto result = std::from_chars(text.data() + e + 1 + sign, text.data() + text.size(), scale);
    if (result.ec != std::errc()) scale = text[e + 1] == '-' ? -kHugeExponent : kHugeExponent;
    scale = std::clamp(scale, -kHugeExponent, kHugeExponent);
  }
  // value = digits * 10^scale, with trailing zeros moved into the scale
  std::string digits(text.substr(0, e));
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    scale -= static_cast<std::int64_t>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  const bool negative = digits[0] == '-';
  digits.erase(0, digits.find_first_not_of("-0"));
  while (!digits.empty() && digits.back() == '0') {
    digits.pop_back();
    ++scale;
  }
  value = 0;
  if (digits.empty()) return Integer::fits;
  if (scale < 0) return Integer::no;
  if (static_cast<std::int64_t>(digits.size()) + scale > 19) return Integer::too_large;
  const std::string whole =
      (negative ? "-" : "") + digits + std::string(static_cast<std::size_t>(scale), '0');
  const auto result = std::from_chars(whole.data(), whole.data() + whole.size(), value);
  return result.ec == std::errc() ? Integer::fits : Integer::too_large;
}

bool JsonNumber::to_double(double& value) const {
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
}

// Errors.

std::string JsonReader::location(std::int64_t at) const {
  const char* what = bytes_.compression() == Compression::none ? "" : " of the uncompressed text";
  return fmt::format("{}: byte {}{}: ", bytes_.name(), at, what);
}

void JsonReader::fail_at(std::int64_t at, const std::string& reason) const {
  throw JsonSyntaxError(location(at) + reason, reason, at);
}

void JsonReader::fail_expected(const char* what) {
  const std::int64_t at = position(cursor_);
  if (cursor_ != end_) fail_at(at, fmt::format("expected {}, got {}", what, printable(*cursor_)));
  fail_at(at, at == 0 ? "the file is empty; expected JSON"
                      : fmt::format("expected {}, and the document ends", what));
}

void JsonReader::reject(std::int64_t at, const std::string& reason) const {
  throw InvalidInput(location(at) + reason);
}

}  // namespace dshn::io
