#include "cli/screen.hpp"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <stdexcept>

#include "cli/subprocess.hpp"
#include "dshn/base/utf8.hpp"

namespace dshn::cli::test {

void Screen::write(std::string_view more) {
  const std::string all = unread_ + std::string(more);
  std::string_view bytes = all;
  while (!bytes.empty()) {
    if (bytes[0] == '\x1b') {
      if (!take_escape(bytes)) break;
      continue;
    }
    const std::size_t size = first_code_point(bytes).bytes;
    if (size == 0) break;
    if (bytes[0] == '\r')
      column_ -= column_ % width_;
    else if (bytes[0] == '\n')
      move_down();
    else
      put(std::string(bytes.substr(0, size)));
    bytes.remove_prefix(size);
  }
  unread_ = bytes;
}

bool Screen::take_escape(std::string_view& bytes) {
  static const std::regex sequence("\x1b\\[([?]?)([0-9;]*)([A-Za-z])");
  std::cmatch match;
  if (!std::regex_search(bytes.begin(), bytes.end(), match, sequence, std::regex_constants::match_continuous))
    return false;
  const std::string number = match[2];
  const char what = *match[3].first;
  bytes.remove_prefix(match.length());
  if (what == 'J') {
    lines_.resize(line_ + 1);
    lines_[line_].resize(std::min(lines_[line_].size(), column_));
  } else if (what == 'A') {
    for (int i = std::atoi(number.c_str()); i > 0; --i) move_up();
  } else if (match[1].length() == 1 && number == "7") {
    wraps_ = what == 'h';
  } else if (what != 'm') {
    throw std::runtime_error("a sequence that this screen does not know: " + match.str().substr(1));
  }
  return true;
}

void Screen::put(std::string glyph) {
  // Where lines are cut, the last column of the row is written again and again.
  const std::size_t row_end = column_ - column_ % width_ + width_ - 1;
  Line& line = lines_[line_];
  if (line.size() <= column_) line.resize(column_ + 1, " ");
  line[column_] = std::move(glyph);
  if (wraps_ || column_ < row_end) ++column_;
}

void Screen::move_down() {
  const std::size_t row_begin = column_ - column_ % width_;
  if (lines_[line_].size() > row_begin + width_) {
    column_ = row_begin + width_;
    return;
  }
  column_ = 0;
  if (++line_ == lines_.size()) lines_.emplace_back();
}

void Screen::move_up() {
  if (column_ >= static_cast<std::size_t>(width_)) {
    column_ -= width_;
  } else if (line_ > 0) {
    const std::size_t size = lines_[--line_].size();
    column_ += size == 0 ? 0 : (size - 1) / width_ * width_;
  }
}

std::string Screen::text() const {
  std::string out;
  for (const Line& line : lines_) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (i > 0 && i % width_ == 0) out += '\n';
      out += line[i];
    }
    out += '\n';
  }
  while (out.ends_with("\n\n") || out == "\n") out.pop_back();
  return out;
}

void NarrowingScreen::operator()(std::string_view more, int terminal) {
  screen_.write(more);
  if (narrowed_ || screen_.text().find(cue_) == std::string::npos) return;
  test::resize(terminal, columns_);
  screen_.resize(columns_);
  narrowed_ = true;
}

}  // namespace dshn::cli::test
