#pragma once

#include <string>
#include <vector>

#include "cli/terminal.hpp"

namespace dshn::cli {

enum class Align : std::uint8_t { left, right };

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
  /// terminal, the last column is shortened to what fits.
  std::string render(const Terminal& terminal) const;

 private:
  std::vector<int> widths() const;
  std::string line(const std::vector<TextCell>& row, const std::vector<int>& widths,
                   const Terminal& terminal) const;

  std::vector<Column> columns_;
  std::vector<std::vector<TextCell>> rows_;
};

}  // namespace dshn::cli
