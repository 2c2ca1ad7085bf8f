// Rows of text, whatever they mean.
#include "dshn/io/table.hpp"

#include "fuzz/target.hpp"

namespace dshn::fuzz::table {
namespace {

struct Cell {
  std::string text;
  bool quoted;
};
using Rows = std::vector<std::vector<Cell>>;

std::vector<std::string> valid() {
  return {"a,b\n1,\"x \"\"y\"\"\"\n", "a\tb\r\n# comment\n#% nodes 3\n\n c \t d\r\n", "1 2 3\n4 5 6",
          "\xef\xbb\xbf"
          "a;b\n1;2\n"};
}

std::vector<std::string> malformed() {
  return {"", std::string("a\0b", 3), "a,\"b\n", "a,\"b\"c\n"};
}

Rows rows_of(io::Table& table) {
  Rows rows;
  while (const io::TableRow* const row = table.next()) {
    if (row->directive) continue;
    auto& cells = rows.emplace_back();
    for (const io::Field& field : row->fields) cells.push_back({std::string(field.text), field.quoted});
  }
  return rows;
}

/// Integers without quotes are to stay integers, all other text is to stay text.
bool is_integer(const Cell& cell) {
  return !cell.quoted && io::looks_like_integer(cell.text);
}

bool same(const Rows& a, const Rows& b) {
  const auto same_cell = [](const Cell& x, const Cell& y) {
    return x.text == y.text && is_integer(x) == is_integer(y);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_cell);
  });
}

void read(std::string_view bytes) {
  io::Table table(file_with(bytes, "file.csv"));
  const Rows rows = rows_of(table);
  table.rewind();
  require(same(rows, rows_of(table)), "rows are the same again");
  io::Table commented(scratch() / "file.csv", {}, {.delimiter = ',', .comments = false});
  rows_of(commented);
  std::string copy;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) copy += ',';
      copy += io::csv_field(row[i].text, is_integer(row[i]), ',');
    }
    copy += '\n';
  }
  if (copy.find_first_not_of('\n') == std::string::npos) return;  // rows of nothing are no rows
  io::Table again(file_with(copy, "copy.csv"), {}, {.delimiter = ','});
  require(same(rows, rows_of(again)), "what is written is read again");
}

}  // namespace

Target target() {
  return {"table", valid, malformed, read};
}

}  // namespace dshn::fuzz::table
