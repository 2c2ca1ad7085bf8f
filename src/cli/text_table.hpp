#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/terminal.hpp"

namespace dshn::cli {

enum class Align : std::uint8_t { left, right };

/// What becomes of a row that a terminal is too narrow for: it takes more lines, or its end is left away.
enum class Overflow : std::uint8_t { wrap, cut };

struct TextCell {
  std::string text;
  Paint paint = Paint::none;
};

/// Columns that line up whatever alphabet the cells are in. Cells are printable text of one line.
class TextTable {
 public:
  struct Column {
    std::string title;
    Align align = Align::left;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Missing cells at the end are empty.
  void add(std::vector<TextCell> row);
  bool empty() const { return rows_.empty(); }

  /// Lines, each ended by a newline and without trailing blanks. Titles are left out when all are empty. On a
  /// terminal they fit its width: titles and columns of text are wrapped, and where that is not enough the
  /// last columns follow below, with the first one again. With Overflow::cut a row is one line, whose last
  /// column is shortened.
  std::string render(const Terminal& terminal, Overflow overflow = Overflow::wrap) const;

 private:
  struct Layout;

  int widest(std::size_t column) const;
  int narrowest(std::size_t column) const;
  Layout fitted(const std::vector<std::size_t>& columns, int room) const;
  std::vector<Layout> bands(int room) const;
  std::vector<Layout> layouts(const Terminal& terminal, Overflow overflow) const;
  std::string lines(const std::vector<TextCell>& row, const Layout& layout, const Terminal& terminal,
                    Overflow overflow) const;

  std::vector<Column> columns_;
  std::vector<std::vector<TextCell>> rows_;
};

}  // namespace dshn::cli
