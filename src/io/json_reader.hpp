#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/io/progress.hpp"
#include "io/byte_stream.hpp"

namespace dshn::io {

enum class JsonKind : std::uint8_t { object, array, string, number, boolean, null };

/// "an object", "a string", ... as a message would say it.
const char* describe(JsonKind kind);

/// A document that is not JSON (RFC 8259), at a byte of its uncompressed text.
class JsonSyntaxError : public InvalidInput {
 public:
  JsonSyntaxError(const std::string& line, std::string reason, std::int64_t offset)
      : InvalidInput(line), reason_(std::move(reason)), offset_(offset) {}
  /// The message without file and byte.
  const std::string& reason() const { return reason_; }
  std::int64_t offset() const { return offset_; }

 private:
  std::string reason_;
  std::int64_t offset_;
};

/// A number as it is written. The text lives as long as the reader's other texts: until the next call.
struct JsonNumber {
  std::string_view text;

  /// Exact by value, so that 1.0 and 10e-1 are the integer 1.
  enum class Integer : std::uint8_t { no, fits, too_large };
  Integer to_integer(std::int64_t& value) const;
  /// False where the value is beyond the range of a double.
  bool to_double(double& value) const;
};

/// Reads a JSON document front to back from a stream, holding one chunk of it. The caller asks for what it
/// expects:
///
///     reader.begin_object();
///     while (reader.next_key()) { if (reader.key() == "n") use(reader.number()); else reader.skip(); }
///     reader.finish();
///
/// Every value must be taken by one call that fits its kind() or by skip(). All of the text is checked, what
/// is skipped too: structure, numbers, escapes with their surrogates, UTF-8, depth. Errors are
/// JsonSyntaxError.
class JsonReader {
 public:
  static constexpr int kMaxDepth = 1000;
  static constexpr std::size_t kMaxNumber = 4096;                     // characters
  static constexpr std::size_t kMaxString = std::size_t{1} << 26;     // bytes, unless it is skipped
  static constexpr std::size_t kDefaultChunk = std::size_t{1} << 18;  // bytes read at once

  explicit JsonReader(ByteReader& bytes, Progress progress = {}, std::size_t chunk = kDefaultChunk);

  /// Kind of the value that comes next; takes nothing.
  JsonKind kind();
  /// Byte of the uncompressed text at which the next value, or the next punctuation, starts.
  std::int64_t offset() {
    skip_space();
    return position(cursor_);
  }
  const std::string& name() const { return bytes_.name(); }

  void begin_object();
  /// Goes to the next member and its value, or past the end of the object.
  bool next_key();
  /// Valid until the next call.
  std::string_view key() const { return key_; }
  /// Byte at which the key starts.
  std::int64_t key_offset() const { return key_offset_; }

  void begin_array();
  /// Goes to the next element, or past the end of the array.
  bool next_element();

  /// Valid until the next call.
  std::string_view string();
  JsonNumber number();
  bool boolean();
  void null();
  /// Takes the next value if it is an integer of at most 18 digits written without fraction or exponent: the
  /// fast way for the usual case. Otherwise takes nothing.
  bool take_integer(std::int64_t& value);
  /// Takes a value of any kind.
  void skip();
  /// Only white space may follow.
  void finish();

  /// Throws InvalidInput: "<file>: byte <offset>: <reason>". For values that are JSON and yet not what was
  /// expected.
  [[noreturn]] void reject(std::int64_t at, const std::string& reason) const;

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
  static const char* find_special(const char* text);

  std::int64_t position(const char* p) const { return base_ + (p - buffer_.data()); }
  /// Character at the cursor after white space; 0 at the end.
  char skip_space() {
    if (*cursor_ > ' ') return *cursor_;
    return skip_space_slow();
  }
  char skip_space_slow();
  /// Reads more, keeping the bytes from `keep` on; false at the end of the document. Moves cursor_ with the
  /// bytes.
  bool refill(const char* keep);
  /// At least `count` bytes at the cursor if the document has them.
  std::size_t ensure(std::size_t count);

  enum class Keep : std::uint8_t { text, nothing };
  std::string_view scan_string();
  std::string_view scan_string_slow(const char* start, const char* special, Keep keep);
  void scan_plain(Keep keep);
  void scan_escape(Keep keep);
  unsigned scan_unicode_escape();
  void scan_utf8(Keep keep);
  void skip_string();
  std::string_view scan_number();
  void check_number(std::string_view text, std::int64_t at) const;
  void literal(std::string_view word);
  void keep_key();
  void enter();

  std::string location(std::int64_t at) const;
  [[noreturn]] void fail_at(std::int64_t at, const std::string& reason) const;
  [[noreturn]] void fail_expected(const char* what);

  ByteReader& bytes_;
  Progress progress_;
  std::size_t chunk_;
  std::vector<char> buffer_;  // zeros follow the bytes, so that scans stop without looking at the end
  const char* cursor_;        // next byte
  const char* end_;           // of the bytes
  std::int64_t base_ = 0;     // offset of buffer_[0] in the document
  int depth_ = 0;
  bool first_ = false;  // nothing yet in the innermost open container
  std::string_view key_;
  std::int64_t key_offset_ = 0;
  std::string scratch_;  // decoded string
  std::string kept_key_;
};

// The hot path, inline: a HIF file is mostly short keys and short integers.

/// First byte that is a quote, a backslash, a control character (the zeros behind the text are some) or not
/// ASCII.
inline const char* JsonReader::find_special(const char* text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  constexpr std::uint64_t kHigh = 0x8080808080808080U;
  for (;; text += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text, 8);
    const std::uint64_t quote = word ^ (kOnes * '"');
    const std::uint64_t backslash = word ^ (kOnes * '\\');
    // A borrow spoils only bytes above a true hit, and the lowest hit is the one taken.
    const std::uint64_t hits = (((quote - kOnes) & ~quote) | ((backslash - kOnes) & ~backslash) |
                                ((word - kOnes * 0x20) & ~word) | word) &
                               kHigh;
    if (hits != 0) return text + (__builtin_ctzll(hits) >> 3);
  }
}

inline std::string_view JsonReader::scan_string() {
  const char* start = cursor_ + 1;
  const char* stop = find_special(start);
  if (*stop != '"') return scan_string_slow(start, stop, Keep::text);
  cursor_ = stop + 1;
  return {start, static_cast<std::size_t>(stop - start)};
}

inline bool JsonReader::next_key() {
  char c = skip_space();
  if (c == '}') {
    ++cursor_;
    --depth_;
    first_ = false;
    return false;
  }
  if (!first_) {
    if (c != ',') fail_expected("',' or '}' after a member of an object");
    ++cursor_;
    c = skip_space();
  }
  if (c != '"') fail_expected("a key in double quotes");
  first_ = false;
  key_offset_ = position(cursor_);
  key_ = scan_string();
  if (*cursor_ != ':') {
    keep_key();
    if (skip_space() != ':') fail_expected("':' after a key");
  }
  ++cursor_;
  return true;
}

inline bool JsonReader::next_element() {
  const char c = skip_space();
  if (c == ']') {
    ++cursor_;
    --depth_;
    first_ = false;
    return false;
  }
  if (!first_) {
    if (c != ',') fail_expected("',' or ']' after an element of an array");
    ++cursor_;
  }
  first_ = false;
  return true;
}

inline void JsonReader::begin_object() {
  if (skip_space() != '{') fail_expected("an object");
  enter();
}

inline void JsonReader::begin_array() {
  if (skip_space() != '[') fail_expected("an array");
  enter();
}

inline void JsonReader::enter() {
  if (depth_ == kMaxDepth) fail_at(position(cursor_), "nested deeper than 1000 levels");
  ++cursor_;
  ++depth_;
  first_ = true;
}

inline std::string_view JsonReader::string() {
  if (skip_space() != '"') fail_expected("a string");
  return scan_string();
}

inline bool JsonReader::take_integer(std::int64_t& value) {
  (void)skip_space();
  const char* p = cursor_;
  const bool negative = *p == '-';
  if (negative) ++p;
  const char* digits = p;
  std::uint64_t magnitude = 0;
  while (is_digit(*p)) magnitude = magnitude * 10 + static_cast<std::uint64_t>(*p++ - '0');
  const auto count = p - digits;
  const bool plain = count > 0 && count <= 18 && (*digits != '0' || count == 1);
  // A zero may be the end of the chunk rather than of the number.
  if (!plain || *p == '\0' || *p == '.' || *p == 'e' || *p == 'E') return false;
  value = negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
  cursor_ = p;
  return true;
}

}  // namespace dshn::io
