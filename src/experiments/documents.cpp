#include "experiments/documents.hpp"

#include <fmt/format.h>

#include "dshn/base/error.hpp"
#include "dshn/experiments/cell_figures.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/table_files.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kWriter = "an experiment";

ordered_json read(const fs::path& file, const io::Shape& shape, const char* what) {
  ordered_json document = io::parse_json(io::read_file(file), file.string(), kWriter);
  if (const std::string fault = shape.fault(document); !fault.empty())
    throw InvalidInput(fmt::format("{}: not {}: {}", file.string(), what, fault), Topic{"damaged-result"});
  return document;
}

}  // namespace

bool is_listing(const ordered_json& table) {
  return table.contains("rows") && table.contains("columns");
}

ordered_json read_table(const fs::path& file) {
  static const io::Shape shape = io::table_shape();
  ordered_json table = read(file, shape, "the document of an experiment");
  if (!is_listing(table) && !table.contains("cells"))
    throw InvalidInput(
        fmt::format("{}: not the document of an experiment: there are no cells", file.string()));
  if (table.contains("cells"))
    for (ordered_json& cell : table["cells"]) cell = with_figures(std::move(cell));
  return table;
}

std::optional<ordered_json> read_cell(const fs::path& file) {
  static const io::Shape shape = io::cell_shape();
  if (!fs::exists(file)) return std::nullopt;
  return read(file, shape, "a cell of an experiment");
}

}  // namespace dshn::experiments
