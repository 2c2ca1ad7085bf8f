#include "dshn/io/item_table.hpp"

#include "fuzz/samples.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::item_table {
namespace {

std::vector<std::string> valid() {
  return {"id,age,town\n0,30,Oslo\n1,,\"a, b\"\n9,NA,x\n", "0 1.5\n1 2.5\n2 3.5\n", ",weight\n0,1\n3,2.5\n",
          "node\tlabel\n1\tyes\n\"a b\"\tno\n"};
}

std::vector<std::string> malformed() {
  return {"", "id,a\n0,1\n0,2\n", "id,a\n0\n", "id,a\n0,\xff\n", "id,weight\n0,-1\n"};
}

void read(std::string_view bytes) {
  static const Hypergraph hypergraph = plain_hypergraph();
  static const NameIndex names(hypergraph.node_names(), hypergraph.node_count());
  const io::ItemTable table = io::read_item_table(file_with(bytes, "file.csv"), {"node", &names});
  const auto known = static_cast<std::size_t>(hypergraph.node_count());
  require(table.places.size() == table.items.size(), "every row has a place");
  for (const Index item : table.items)
    require(item >= 0 && static_cast<std::size_t>(item) < known + table.strangers.size(), "items are known");
  for (const io::TextColumn& column : table.columns) {
    require(column.size() == table.rows(), "columns are as long as the table");
    double value = 0;
    for (std::int64_t row = 0; row < column.size(); ++row) io::parse_cell(column[row], value);
  }
  if (const io::TextColumn* const weights = table.find(io::kWeightColumn))
    io::weights_in(table, *weights, hypergraph.node_count());
}

}  // namespace

Target target() {
  return {"item_table", valid, malformed, read};
}

}  // namespace dshn::fuzz::item_table
