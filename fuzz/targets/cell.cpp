// A cell of an experiment, as it is stored.
#include "dshn/experiments/cell_figures.hpp"
#include "experiments/documents.hpp"
#include "fuzz/target.hpp"
#include "fuzz/targets/documents.hpp"

namespace dshn::fuzz::cell {
namespace {

std::vector<std::string> valid() {
  return {kCell, "{}"};
}

std::vector<std::string> malformed() {
  return {"", "[]", "1", R"({"test": {"mean": "x"}})", R"({"splits": [[]]})"};
}

void read(std::string_view bytes) {
  const auto cell = experiments::read_cell(file_with(bytes, "cell.json"));
  require(cell.has_value(), "the file is there");
  static_cast<void>(experiments::with_figures(*cell));
}

}  // namespace

Target target() {
  return {"cell", valid, malformed, read};
}

}  // namespace dshn::fuzz::cell
