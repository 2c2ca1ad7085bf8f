#include "dshn/io/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "io/byte_stream.hpp"

namespace dshn::io {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// What separates the columns of the row that the text begins with.
char delimiter_of_row(std::string_view text) {
  bool quoted = false;
  bool comma = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\t') return '\t';
    if (c == '\n') break;
    comma = comma || c == ',';
  }
  return comma ? ',' : ' ';
}

std::string read_all(ByteReader& bytes, const Progress& progress) {
  std::string text;
  std::size_t got = 0;
  do {
    const std::size_t size = text.size();
    text.resize(size + kPiece);
    got = bytes.read(std::span(text).subspan(size));
    text.resize(size + got);
    if (progress) progress(bytes.bytes_done(), bytes.bytes_total());
  } while (got == kPiece);
  return text;
}

}  // namespace

Table::Table(const std::filesystem::path& path, const Progress& progress, TableStyle style) : style_(style) {
  const auto bytes = open_bytes(path);
  name_ = bytes->name();
  compression_ = compression_name(bytes->compression());
  text_ = read_all(*bytes, progress);
  if (text_.empty()) throw InvalidInput(fmt::format("{}: the file is empty", name_));
  if (const std::size_t zero = text_.find('\0'); zero != std::string::npos) {
    throw InvalidInput(fmt::format("{}, byte {}: not a text file", name_, zero));
  }
  if (text_.starts_with(kByteOrderMark)) text_.erase(0, kByteOrderMark.size());
  if (style_.delimiter == '\0') find_delimiter();
}

/// The first row decides. Directives before it are read as such, since a name in one may hold line breaks.
void Table::find_delimiter() {
  while (skip_to_content()) {
    if (!is_directive()) {
      style_.delimiter = delimiter_of_row(std::string_view(text_).substr(at_));
      break;
    }
    next();
  }
  if (style_.delimiter == '\0') style_.delimiter = '\t';  // nothing but directives
  rewind();
}

std::string Table::format() const {
  const char* const separated = style_.delimiter == '\t'  ? "tab"
                                : style_.delimiter == ',' ? "comma"
                                                          : "blank";
  return fmt::format("{}-separated text{}{}", separated, compression_.empty() ? "" : ", ", compression_);
}

void Table::fail(std::int64_t line, const std::string& message, Topic topic) const {
  throw InvalidInput(fmt::format("{}, line {}: {}", name_, line, message), std::move(topic));
}

void Table::fail(const std::string& message, Topic topic) const {
  throw InvalidInput(fmt::format("{}: {}", name_, message), std::move(topic));
}

void Table::rewind() {
  at_ = 0;
  line_ = 1;
}

bool Table::at_line_end() const {
  if (at_ >= text_.size() || text_[at_] == '\n') return true;
  return text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n');
}

/// Moves to the next line that holds a row or a directive. False at the end.
bool Table::skip_to_content() {
  while (at_ < text_.size()) {
    const std::size_t begin = at_;
    if (is_directive()) return true;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::size_t first = text_.find_first_not_of(" \t\r", begin);
    if ((text_[begin] != '#' || !style_.comments) && first < end) return true;
    at_ = std::min(end + 1, text_.size());
    ++line_;
  }
  return false;
}

const TableRow* Table::next() {
  if (!skip_to_content()) return nullptr;
  row_.line = line_;
  row_.directive = is_directive();
  row_.fields.clear();
  unescaped_.clear();
  if (row_.directive) at_ += 2;
  read_fields(row_.directive ? ' ' : style_.delimiter);
  return &row_;
}

void Table::read_fields(char delimiter) {
  const bool blanks = delimiter == ' ';
  const auto skip = [&] {
    while (at_ < text_.size() && (text_[at_] == ' ' || (text_[at_] == '\t' && delimiter != '\t'))) ++at_;
  };
  while (true) {
    skip();
    if (blanks && at_line_end()) break;
    row_.fields.push_back(read_field(delimiter));
    skip();
    if (at_line_end()) break;
    if (blanks) continue;
    if (text_[at_] != delimiter)
      fail(line_, "a quoted field must be followed by a separator or the end of the line");
    ++at_;
  }
  at_ = std::min(std::min(text_.find('\n', at_), text_.size()) + 1, text_.size());
  ++line_;
}

Field Table::read_field(char delimiter) {
  if (at_ < text_.size() && text_[at_] == '"') return read_quoted();
  const std::size_t begin = at_;
  const auto ends = [&] {
    return at_line_end() || text_[at_] == delimiter || (delimiter == ' ' && text_[at_] == '\t');
  };
  for (; !ends(); ++at_) {
    if (text_[at_] == '"')
      fail(line_, "a quote inside an unquoted field; quote the field and double the quote");
  }
  std::string_view text = std::string_view(text_).substr(begin, at_ - begin);
  text.remove_suffix(text.size() - (text.find_last_not_of(" \t") + 1));
  return {text, false};
}

Field Table::read_quoted() {
  const std::int64_t first_line = line_;
  const std::size_t begin = ++at_;
  bool escaped = false;
  for (;; ++at_) {
    if (at_ >= text_.size()) fail(first_line, "a quoted field is not closed");
    if (text_[at_] == '\n') ++line_;
    if (text_[at_] != '"') continue;
    if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
    escaped = true;
    ++at_;
  }
  std::string_view text = std::string_view(text_).substr(begin, at_++ - begin);
  if (!escaped) return {text, true};
  std::string& plain = unescaped_.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    plain += text[i];
    if (text[i] == '"') ++i;  // doubled
  }
  return {plain, true};
}

bool looks_like_integer(std::string_view text) {
  if (text == "0") return true;
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text[0] != '0' &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string csv_field(std::string_view text, bool is_integer, char delimiter) {
  const bool plain = is_integer || (!text.empty() && !looks_like_integer(text) && text[0] != '#' &&
                                    text.find_first_of("\"\r\n \t") == std::string_view::npos &&
                                    text.find(delimiter) == std::string_view::npos);
  if (plain) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += c;
    out += c;
  }
  return out + '"';
}

}  // namespace dshn::io
