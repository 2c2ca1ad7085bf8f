#include "cli/text_table.hpp"

#include <algorithm>

#include "cli/text.hpp"

namespace dshn::cli {
namespace {

constexpr int kGap = 2;
/// A last column is never squeezed below this, even on a very narrow terminal.
constexpr int kLastColumn = 12;

}  // namespace

void TextTable::add(std::vector<TextCell> row) {
  row.resize(columns_.size());
  rows_.push_back(std::move(row));
}

std::vector<int> TextTable::widths() const {
  std::vector<int> widths;
  widths.reserve(columns_.size());
  for (const Column& column : columns_) widths.push_back(display_width(column.title));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i].text));
  }
  return widths;
}

std::string TextTable::line(const std::vector<TextCell>& row, const std::vector<int>& widths,
                            const Terminal& terminal) const {
  std::string out;
  int blanks = 0;
  int used = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    std::string text = row[i].text;
    if (terminal.interactive && i + 1 == row.size()) {
      text = shorten(text, std::max(terminal.width - used - blanks, kLastColumn));
    }
    const int width = display_width(text);
    const int padding = std::max(widths[i] - width, 0);
    if (columns_[i].align == Align::right) blanks += padding;
    if (width > 0) {
      out += std::string(blanks, ' ') + terminal.paint(row[i].paint, text);
      used += blanks + width;
      blanks = 0;
    }
    blanks += kGap + (columns_[i].align == Align::left ? padding : 0);
  }
  return out + '\n';
}

std::string TextTable::render(const Terminal& terminal) const {
  const std::vector<int> columns = widths();
  std::vector<TextCell> titles;
  titles.reserve(columns_.size());
  for (const Column& column : columns_) titles.push_back({column.title, Paint::strong});
  const bool titled =
      std::any_of(titles.begin(), titles.end(), [](const TextCell& cell) { return !cell.text.empty(); });
  std::string out = titled ? line(titles, columns, terminal) : "";
  for (const auto& row : rows_) out += line(row, columns, terminal);
  return out;
}

}  // namespace dshn::cli
