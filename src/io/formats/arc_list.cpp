#include <fmt/format.h>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "dshn/io/format.hpp"
#include "io/byte_stream.hpp"
#include "io/text.hpp"
#include "io/text_columns.hpp"

namespace dshn::io {

Loaded read_arc_table(Table& table, const TextColumns& columns, const LoadOptions& options) {
  TextIds nodes("node");
  std::vector<Index> from;
  std::vector<Index> to;
  std::int64_t weights = 0;
  const auto directive = [&](const TableRow& row) {
    const std::string_view word = row.fields.empty() ? std::string_view() : row.fields[0].text;
    if (word == "dshn") return;
    if (word == "nodes" && row.fields.size() == 2) {
      nodes.declare_range(table, row.line, row.fields[1]);
    } else if (word == "node" && row.fields.size() == 2) {
      nodes.declare(table, row.line, row.fields[1]);
    } else {
      table.fail(row.line,
                 fmt::format("unknown directive '#% {}'; a list of arcs has nodes N and node ID", word));
    }
  };
  for_each_row(table, columns, directive, [&](const TableRow& row) {
    from.push_back(nodes.row_id(table, row, columns.from));
    to.push_back(nodes.row_id(table, row, columns.to));
    const Field* const weight = field_of(row, columns.weight);
    if (weight != nullptr && weight->text != "{}") ++weights;
  });

  const TextIds::Numbering numbering = nodes.numbering();
  for (Index& id : from) id = numbering.final_id[id];
  for (Index& id : to) id = numbering.final_id[id];
  Loaded loaded;
  loaded.hypergraph =
      from_directed_graph(nodes.size(), {from, to, options.first_column_is_tail}, numbering.names);
  loaded.format = "list of arcs, " + table.format();
  if (weights > 0) {
    loaded.warnings.push_back(fmt::format("the {} of {} arcs were left out",
                                          columns.attributes ? "attributes" : "weights", weights));
  }
  return loaded;
}

bool has_arc_extension(const std::filesystem::path& path) {
  const std::string extension = extension_of(path);
  return extension == ".arcs" || extension == ".edgelist";
}

Format arc_list_format() {
  return {
      .name = "arc-list",
      .title = "arc list",
      .extensions = {".arcs", ".edgelist"},
      .compressible = true,
      .recognised_by = "text; first line, header or extension",
      .section = "text",
      .recognise =
          [](const Candidate& candidate) { return candidate.text() && has_arc_extension(candidate.path); },
      .read = read_text};
}

}  // namespace dshn::io
