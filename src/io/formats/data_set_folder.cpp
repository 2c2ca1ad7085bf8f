#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "dshn/io/data_files.hpp"
#include "dshn/io/format.hpp"
#include "dshn/io/hif.hpp"
#include "dshn/io/npz.hpp"
#include "dshn/io/table.hpp"
#include "io/text.hpp"

namespace dshn::io {

namespace fs = std::filesystem;

namespace {

/// The table of this name in the folder; nothing where there is none.
std::optional<fs::path> table_file(const fs::path& folder, const char* name) {
  for (const char* const ending : {".csv", ".csv.gz", ".csv.zst", ".tsv", ".tsv.gz", ".tsv.zst"}) {
    fs::path file = folder / (std::string(name) + ending);
    if (fs::exists(file)) return file;
  }
  return std::nullopt;
}

std::optional<fs::path> hif_file(const fs::path& folder) {
  for (const char* const ending : {".gz", ".zst", ""}) {
    fs::path file = folder / (std::string(kHypergraphFile) + ending);
    if (fs::exists(file)) return file;
  }
  return std::nullopt;
}

Loaded read_hypergraph(const fs::path& folder, const LoadOptions& options) {
  const auto hif = hif_file(folder);
  const auto table = table_file(folder, kHypergraphTable);
  if (hif && table) {
    throw InvalidInput(fmt::format("{}: both {} and {} are there; expected one hypergraph", folder.string(),
                                   hif->filename().string(), table->filename().string()));
  }
  return hif ? read_hif(*hif, options) : read_text(*table, options);
}

/// Integers by value, then words in alphabetical order: the order of a table's rows decides nothing.
bool comes_before(const Name& a, const Name& b) {
  if (a.is_integer != b.is_integer) return a.is_integer;
  std::int64_t x = 0;
  std::int64_t y = 0;
  if (a.is_integer && parse_number(a.text, x) && parse_number(b.text, y)) return x < y;
  return a.text < b.text;
}

/// Gives the items that the table alone knows their final numbers, behind the `known` ones, and returns their
/// names.
std::vector<Name> declare_strangers(ItemTable& table, Index known) {
  std::vector<Index> order(table.strangers.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  std::ranges::sort(order, comes_before, [&](Index i) -> const Name& { return table.strangers[i]; });
  std::vector<Name> names;
  std::vector<Index> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<Index>(i);
    names.push_back(table.strangers[order[i]]);
  }
  for (Index& item : table.items) {
    if (item >= known) item = known + place[item - known];
  }
  table.strangers.clear();
  return names;
}

ItemTable read_items(const fs::path& folder, const char* file, const ItemKind& kind,
                     const LoadOptions& options) {
  const auto path = table_file(folder, file);
  return path ? read_item_table(*path, kind, options.text, options.progress) : ItemTable{};
}

/// The column `weight` of the hyperedges' table, which is then no longer among its columns.
std::vector<double> take_weights(ItemTable& table, Index count) {
  const TextColumn* const column = table.find(kWeightColumn);
  if (column == nullptr) return {};
  std::vector<double> weights = weights_in(table, *column, count);
  std::erase_if(table.columns, [](const TextColumn& c) { return c.name() == kWeightColumn; });
  return weights;
}

/// Reads nodes.csv and hyperedges.csv, which may also name items that the hypergraph's own file does not.
void read_tables(const fs::path& folder, const LoadOptions& options, Loaded& loaded) {
  const Hypergraph& h = loaded.hypergraph;
  const NameIndex node_names(h.node_names(), h.node_count());
  const NameIndex edge_names(h.edge_names(), h.edge_count());
  ItemTable nodes = read_items(folder, kNodeTable, {"node", &node_names}, options);
  ItemTable edges = read_items(folder, kEdgeTable, {"hyperedge", &edge_names}, options);
  const std::vector<Name> more_nodes = declare_strangers(nodes, h.node_count());
  const std::vector<Name> more_edges = declare_strangers(edges, h.edge_count());
  std::vector<double> weights = take_weights(edges, h.edge_count() + static_cast<Index>(more_edges.size()));
  if (!weights.empty() && h.weighted())
    throw InvalidInput(fmt::format("{}: the hyperedges have weights in two files", folder.string()));
  if (!more_nodes.empty() || !more_edges.empty() || !weights.empty())
    loaded.hypergraph = with_items(h, more_nodes, more_edges, std::move(weights));
  if (!more_nodes.empty())
    nodes.notes.push_back(fmt::format("{}: {} nodes are in no hyperedge", nodes.file, more_nodes.size()));
  if (!more_edges.empty())
    edges.notes.push_back(fmt::format("{}: {} hyperedges have no members", edges.file, more_edges.size()));
  if (nodes.rows() > 0) {
    loaded.node_table = std::move(nodes);
    loaded.format += ", table of nodes";
  }
  if (edges.rows() > 0) {
    loaded.edge_table = std::move(edges);
    loaded.format += ", table of hyperedges";
  }
}

Loaded read_data_set(const fs::path& folder, const LoadOptions& options) {
  Loaded loaded = read_hypergraph(folder, options);
  loaded.format = "data set folder, " + loaded.format;
  if (fs::exists(folder / kArraysFile)) {
    for (auto& [name, array] : read_npz(folder / kArraysFile)) {
      if (loaded.arrays.contains(name)) {
        loaded.warnings.push_back(
            fmt::format("'{}' is in the hypergraph file and in {}; the latter counts", name, kArraysFile));
      }
      loaded.arrays[name] = std::move(array);
    }
    loaded.format += fmt::format(" and {}", kArraysFile);
  }
  read_tables(folder, options, loaded);
  return loaded;
}

std::vector<std::string> write_data_set(const Loaded& loaded, const fs::path& folder) {
  HifWriteOptions options;
  options.metadata = loaded.metadata;
  write_hif(loaded.hypergraph, folder / (std::string(kHypergraphFile) + ".gz"), options);
  if (!loaded.arrays.empty()) write_npz(folder / kArraysFile, loaded.arrays);
  return {};
}

}  // namespace

std::optional<fs::path> hypergraph_file(const fs::path& folder) {
  const auto hif = hif_file(folder);
  return hif ? hif : table_file(folder, kHypergraphTable);
}

Format data_set_folder_format() {
  return {
      .name = "data-set-folder",
      .title = "data set folder",
      .folder = true,
      .files = {kHypergraphFile, std::string(kHypergraphFile) + ".gz", std::string(kHypergraphFile) + ".zst",
                kArraysFile},
      .holds_metadata = true,
      .recognised_by = fmt::format("`{}[.gz\\|.zst]` or `{}.csv` in it", kHypergraphFile, kHypergraphTable),
      .section = "data-set-folder",
      .recognise =
          [](const Candidate& candidate) {
            return candidate.folder && hypergraph_file(candidate.path).has_value();
          },
      .read = read_data_set,
      .write = write_data_set};
}

}  // namespace dshn::io
