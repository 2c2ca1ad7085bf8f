#include "dshn/io/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/base/utf8.hpp"
#include "io/byte_stream.hpp"
#include "io/row_text.hpp"
#include "io/text_words.hpp"

namespace dshn::io {
namespace {

constexpr int kRowsToCompare = 20;  // where a row has both commas and semicolons

/// How many separators of each kind a row has outside of quotes and of braces, which networkx puts around attributes.
struct Separators {
  std::size_t tabs = 0, commas = 0, semicolons = 0;
};

/// Counts those of the row that the text begins with and moves behind it.
Separators count_separators(std::string_view& text) {
  Separators found;
  bool quoted = false;
  int depth = 0;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\n') break;
    if (c == '{') ++depth;
    if (c == '}') depth = std::max(depth - 1, 0);
    if (depth > 0) continue;
    found.tabs += c == '\t' ? 1 : 0;
    found.commas += c == ',' ? 1 : 0;
    found.semicolons += c == ';' ? 1 : 0;
  }
  text.remove_prefix(std::min(at + 1, text.size()));
  return found;
}

/// What separates the columns, going by the row that the text begins with. Where that has commas and
/// semicolons, those count that are equally many in the next rows too; semicolons where both are, since
/// their files have commas in numbers.
char delimiter_of_rows(std::string_view text) {
  const Separators first = count_separators(text);
  if (first.tabs > 0) return '\t';
  if (first.commas == 0 || first.semicolons == 0) {
    return first.commas > 0 ? ',' : first.semicolons > 0 ? ';' : ' ';
  }
  for (int row = 1; row < kRowsToCompare && !text.empty(); ++row) {
    const bool counts = !text.starts_with('#') && !text.starts_with('\n') && !text.starts_with("\r\n");
    const Separators next = count_separators(text);
    if (counts && next.semicolons != first.semicolons) return ',';
  }
  return ';';
}

}  // namespace

Table::Table(const std::filesystem::path& path, const Progress& progress, TableStyle style) : style_(style) {
  const auto bytes = open_bytes(path);
  name_ = bytes->name();
  compression_ = compression_name(bytes->compression());
  RowText rows(*bytes, style_.comments, progress);
  text_ = rows.take_text();
  gaps_ = rows.take_gaps();
  if (style_.delimiter == '\0') find_delimiter();
}

/// The first row decides. Directives before it are read as such, since a name in one may hold line breaks.
void Table::find_delimiter() {
  while (skip_to_content()) {
    if (!is_directive()) {
      style_.delimiter = delimiter_of_rows(std::string_view(text_).substr(at_));
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
                                : style_.delimiter == ';' ? "semicolon"
                                : style_.delimiter == '|' ? "pipe"
                                                          : "blank";
  return fmt::format("{}-separated text{}{}", separated, compression_.empty() ? "" : ", ", compression_);
}

void Table::fail(std::int64_t line, const std::string& message, Topic topic) const {
  throw InvalidInput(fmt::format("{}, line {}: {}", name_, line, message), std::move(topic));
}

void Table::fail(const std::string& message, Topic topic) const {
  throw InvalidInput(fmt::format("{}: {}", name_, message), std::move(topic));
}

void Table::require_utf8() const {
  const std::size_t bad = find_invalid_utf8(text_);
  if (bad == std::string_view::npos) return;
  std::int64_t line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(bad), '\n');
  for (const LineGap& gap : gaps_)
    if (gap.at <= bad) line += gap.lines;
  fail(line, "the text is not UTF-8; save the file in that encoding");
}

std::string_view Table::first_row() const {
  return first_row_of(text_);
}

std::string_view Table::second_row() const {
  const std::string_view first = first_row();
  const auto behind = static_cast<std::size_t>(first.data() + first.size() - text_.data());
  return first_row_of(std::string_view(text_).substr(std::min(behind, text_.size())));
}

void Table::separate_by(char delimiter) {
  style_.delimiter = delimiter;
  rewind();
}

void Table::drop_rows() {
  std::string().swap(text_);
  rewind();
}

void Table::rewind() {
  at_ = 0;
  line_ = 1;
  next_gap_ = 0;
}

bool Table::at_line_end() const {
  if (at_ >= text_.size() || text_[at_] == '\n') return true;
  return text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n');
}

/// Moves to the next line that holds a row or a directive. False at the end.
bool Table::skip_to_content() {
  while (at_ < text_.size()) {
    for (; next_gap_ < gaps_.size() && gaps_[next_gap_].at <= at_; ++next_gap_)
      line_ += gaps_[next_gap_].lines;
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

std::string_view first_row_of(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!line.starts_with('#') && line.find_first_not_of(" \t\r") != std::string_view::npos) return line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return text;
}

bool looks_like_integer(std::string_view text) {
  if (text == "0") return true;
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text[0] != '0' &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string csv_field(std::string_view text, bool is_integer, char delimiter) {
  const bool plain = is_integer || (!text.empty() && !looks_like_integer(text) && text[0] != '#' &&
                                    !text.starts_with(kByteOrderMark) &&
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
