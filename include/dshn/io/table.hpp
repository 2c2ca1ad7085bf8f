#pragma once

#include <charconv>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/io/progress.hpp"

namespace dshn::io {

struct Field {
  std::string_view text;
  bool quoted = false;
};

/// A line that says something: a row of fields, or a directive ("#% word ...").
struct TableRow {
  std::int64_t line = 0;
  bool directive = false;
  std::vector<Field> fields;
};

/// Lines that were dropped before the one that begins at `at`, which say nothing.
struct LineGap {
  std::size_t at = 0;
  std::int64_t lines = 0;
};

struct TableStyle {
  char delimiter = '\0';  // tab, comma, semicolon, ...; where it is not given the first rows decide
  bool comments = true;   // lines that begin with # are comments, or directives with #%
};

/// Walks over the rows and directives of a text table; comments and empty lines are skipped.
class Table {
 public:
  /// Reads the file, decompressed: its memory is that of the rows, however long comments are. Throws InvalidInput for an
  /// empty or binary file.
  explicit Table(const std::filesystem::path& path, const Progress& progress = {}, TableStyle style = {});
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  /// The next row, or null at the end. It lives until the next call.
  const TableRow* next();
  void rewind();
  /// Gives the memory of the rows back, before something large is made of what they said. There are none after it.
  void drop_rows();
  /// The text of the first rows, and all of its lines from the front with another separator.
  std::string_view first_row() const;
  std::string_view second_row() const;
  void separate_by(char delimiter);

  /// E.g. "tab-separated text, gzip".
  std::string format() const;
  char delimiter() const { return style_.delimiter; }
  /// Throws InvalidInput, with the line, where the text is not UTF-8.
  void require_utf8() const;
  /// Throws InvalidInput with file and line.
  [[noreturn]] void fail(std::int64_t line, const std::string& message, Topic topic = {}) const;
  [[noreturn]] void fail(const std::string& message, Topic topic = {}) const;

 private:
  void find_delimiter();
  bool is_directive() const { return style_.comments && text_.compare(at_, 2, "#%") == 0; }
  bool skip_to_content();
  void read_fields(char delimiter);
  Field read_field(char delimiter);
  Field read_quoted();
  bool at_line_end() const;

  std::string name_;
  std::string text_;           // without comments and empty lines
  std::vector<LineGap> gaps_;  // of their numbers
  std::size_t next_gap_ = 0;
  std::string compression_;  // "gzip", "zstd" or empty
  TableStyle style_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  TableRow row_;
  std::deque<std::string> unescaped_;
};

/// The first line of a text that is no comment and not empty.
std::string_view first_row_of(std::string_view text);

/// The field as it must be written to be read back as the same text: quoted (RFC 4180) where it would
/// otherwise be taken apart, trimmed, skipped as a comment or, for strings, read as an integer.
std::string csv_field(std::string_view text, bool is_integer, char delimiter);

/// Whether the text is how an integer is written: digits without leading zeros, maybe with a minus sign.
bool looks_like_integer(std::string_view text);

/// Whether all of the text is a number of that type.
template <typename T>
bool parse_number(std::string_view text, T& value) {
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc{} && result.ptr == end;
}

}  // namespace dshn::io
