#include <fmt/format.h>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "dshn/io/format.hpp"
#include "io/byte_stream.hpp"
#include "io/json_text.hpp"
#include "io/python_dictionary.hpp"
#include "io/text.hpp"
#include "io/text_columns.hpp"
#include "io/weight_remarks.hpp"

namespace dshn::io {
namespace {

/// Collects the rows of an arc list; nodes have provisional numbers until the end.
class ArcListReader {
 public:
  ArcListReader(const Table& table, const TextColumns& columns, const LoadOptions& options)
      : table_(table), columns_(columns), options_(options) {}

  void directive(const TableRow& row) {
    const std::string_view word = row.fields.empty() ? std::string_view() : row.fields[0].text;
    if (word == "dshn") return;
    if (word == "nodes" && row.fields.size() == 2) {
      nodes_.declare_range(table_, row.line, row.fields[1]);
    } else if (word == "node" && row.fields.size() == 2) {
      nodes_.declare(table_, row.line, row.fields[1]);
    } else {
      table_.fail(row.line,
                  fmt::format("unknown directive '#% {}'; a list of arcs has nodes N and node ID", word));
    }
  }

  void row(const TableRow& row) {
    from_.push_back(nodes_.row_id(table_, row, columns_.from));
    to_.push_back(nodes_.row_id(table_, row, columns_.to));
    const Field* const field = field_of(row, columns_.weight);
    if (field == nullptr) return;
    if (!columns_.attributes)
      take_weight(row, *field);
    else
      take_attributes(row);
  }

  void finish(Loaded& loaded) {
    const TextIds::Numbering numbering = nodes_.numbering();
    for (Index& id : from_) id = numbering.final_id[id];
    for (Index& id : to_) id = numbering.final_id[id];
    if (!weight_.empty()) weight_.resize(from_.size(), 1.0);
    try {
      loaded.hypergraph = from_directed_graph(
          nodes_.size(), {from_, to_, options_.first_column_is_tail, weight_}, numbering.names);
    } catch (const InvalidInput& error) {  // weights that add up to infinity
      table_.fail(error.what(), error.topic());
    }
    remark_on_arc_weights(loaded, weighed_, options_.incidence_weights);
    if (others_ > 0)
      loaded.warnings.push_back(fmt::format("other attributes of {} arcs are not used", others_));
  }

 private:
  /// Of the row that was added last.
  void take_weight(const TableRow& row, const Field& field) {
    const bool use = options_.incidence_weights == IncidenceWeights::use;
    const double value = use ? parse_weight(table_, row.line, field, Topic{"incidence-weights"}) : 0;
    if (value != 1.0) ++weighed_;
    if (!use) return;
    weight_.resize(from_.size(), 1.0);
    weight_.back() = value;
  }

  void take_attributes(const TableRow& row) {
    std::string text;
    for (auto i = static_cast<std::size_t>(columns_.weight); i < row.fields.size(); ++i)
      text += std::string(text.empty() ? "" : " ") + std::string(row.fields[i].text);
    const auto entries = parse_python_dictionary(text);
    if (!entries) table_.fail(row.line, fmt::format("'{}' is not a dictionary of Python", excerpt(text)));
    const auto weight = entries->find("weight");
    if (weight != entries->end()) take_weight(row, {python_number_text(weight->second), false});
    others_ += entries->size() > (weight != entries->end() ? 1 : 0) ? 1 : 0;
  }

  const Table& table_;
  TextColumns columns_;
  const LoadOptions& options_;
  TextIds nodes_{"node"};
  std::vector<Index> from_, to_;
  std::vector<double> weight_;  // of the first arcs, where any has one; the others weigh 1
  std::int64_t weighed_ = 0;    // arcs with a weight that is not 1, or not looked at
  std::int64_t others_ = 0;     // arcs with attributes that are not used
};

}  // namespace

Loaded read_arc_table(Table& table, const TextColumns& columns, const LoadOptions& options) {
  ArcListReader reader(table, columns, options);
  for_each_row(
      table, columns, [&](const TableRow& row) { reader.directive(row); },
      [&](const TableRow& row) { reader.row(row); });
  table.drop_rows();
  Loaded loaded;
  loaded.format = "list of arcs, " + table.format();
  reader.finish(loaded);
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
