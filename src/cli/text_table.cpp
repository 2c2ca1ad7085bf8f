#include "cli/text_table.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "cli/text.hpp"

namespace dshn::cli {
namespace {

constexpr int kGap = 2;
/// A last column is never cut below this, even on a very narrow terminal.
constexpr int kLastColumn = 12;
/// Longer words, such as paths, are broken where a column must be narrow.
constexpr int kLongestWord = 24;

int longest_word(std::string_view text) {
  int longest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    longest = std::max(longest, display_width(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return longest;
}

}  // namespace

/// Columns side by side, and the width of each.
struct TextTable::Layout {
  std::vector<std::size_t> columns;
  std::vector<int> widths;

  int used() const {
    const int gaps = kGap * (static_cast<int>(columns.size()) - 1);
    return std::accumulate(widths.begin(), widths.end(), gaps);
  }
};

void TextTable::add(std::vector<TextCell> row) {
  row.resize(columns_.size());
  rows_.push_back(std::move(row));
}

int TextTable::widest(std::size_t column) const {
  int width = display_width(columns_[column].title);
  for (const auto& row : rows_) width = std::max(width, display_width(row[column].text));
  return width;
}

int TextTable::narrowest(std::size_t column) const {
  const bool text = columns_[column].align == Align::left;
  int width = longest_word(columns_[column].title);
  for (const auto& row : rows_) {
    const std::string& cell = row[column].text;
    width = std::max(width, text ? std::min(longest_word(cell), kLongestWord) : display_width(cell));
  }
  return width;
}

TextTable::Layout TextTable::fitted(const std::vector<std::size_t>& columns, int room) const {
  Layout layout{columns, {}};
  std::vector<int> wishes;
  for (const std::size_t column : columns) {
    layout.widths.push_back(narrowest(column));
    wishes.push_back(widest(column) - layout.widths.back());
  }
  // Each column gets its share of what is left, the last one what rounding leaves.
  int wanted = std::accumulate(wishes.begin(), wishes.end(), 0);
  int left = std::clamp(room - layout.used(), 0, wanted);
  for (std::size_t i = 0; i < wishes.size() && wanted > 0; ++i) {
    const int share = static_cast<int>(static_cast<std::int64_t>(left) * wishes[i] / wanted);
    layout.widths[i] += share;
    left -= share;
    wanted -= wishes[i];
  }
  return layout;
}

std::vector<TextTable::Layout> TextTable::bands(int room) const {
  std::vector<Layout> bands;
  for (std::size_t next = 0; next < columns_.size();) {
    std::vector<std::size_t> columns;
    if (next > 0) columns.push_back(0);
    do {
      columns.push_back(next++);
    } while (next < columns_.size() && fitted(columns, 0).used() + kGap + narrowest(next) <= room);
    bands.push_back(fitted(columns, room));
  }
  return bands;
}

std::vector<TextTable::Layout> TextTable::layouts(const Terminal& terminal, Overflow overflow) const {
  if (terminal.interactive && overflow == Overflow::wrap) return bands(terminal.width);
  std::vector<std::size_t> all(columns_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Layout layout = fitted(all, std::numeric_limits<int>::max());
  if (terminal.interactive && !all.empty()) {
    const int others = layout.used() - layout.widths.back();
    layout.widths.back() = std::max(terminal.width - others, kLastColumn);
  }
  return {layout};
}

std::string TextTable::lines(const std::vector<TextCell>& row, const Layout& layout, const Terminal& terminal,
                             Overflow overflow) const {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 1;
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    const std::string& text = row[layout.columns[i]].text;
    cells.push_back(overflow == Overflow::cut ? std::vector{shorten(text, layout.widths[i])}
                                              : wrapped(text, layout.widths[i]));
    height = std::max(height, cells.back().size());
  }
  std::string out;
  for (std::size_t line = 0; line < height; ++line) {
    int blanks = 0;
    for (std::size_t i = 0; i < layout.columns.size(); ++i) {
      const std::string text = line < cells[i].size() ? cells[i][line] : "";
      const bool right = columns_[layout.columns[i]].align == Align::right;
      const int padding = std::max(layout.widths[i] - display_width(text), 0);
      if (right) blanks += padding;
      if (!text.empty()) {
        out += std::string(blanks, ' ') + terminal.paint(row[layout.columns[i]].paint, text);
        blanks = 0;
      }
      blanks += kGap + (right ? 0 : padding);
    }
    out += '\n';
  }
  return out;
}

std::string TextTable::render(const Terminal& terminal, Overflow overflow) const {
  std::vector<TextCell> titles;
  for (const Column& column : columns_) titles.push_back({column.title, Paint::strong});
  const bool titled =
      std::any_of(titles.begin(), titles.end(), [](const TextCell& cell) { return !cell.text.empty(); });
  std::string out;
  for (const Layout& layout : layouts(terminal.now(), overflow)) {
    if (!out.empty()) out += '\n';
    if (titled) out += lines(titles, layout, terminal, overflow);
    for (const auto& row : rows_) out += lines(row, layout, terminal, overflow);
  }
  return out;
}

}  // namespace dshn::cli
