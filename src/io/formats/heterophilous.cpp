#include <fmt/format.h>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "dshn/io/data_files.hpp"
#include "dshn/io/format.hpp"
#include "dshn/io/npz.hpp"
#include "io/id_table.hpp"

namespace dshn::io {

namespace {

/// heterophilous-graphs .npz: edges [k, 2], node_features, node_labels, train_masks, val_masks, test_masks.
/// Edges are taken as arcs in the order in which they are stored, also in the undirected files, as the paper
/// does.
Loaded read_heterophilous(const std::filesystem::path& path, const LoadOptions& options) {
  Arrays arrays = read_npz(path);
  const Array edges = std::move(arrays.at("edges"));
  if (edges.shape.size() != 2 || edges.shape[1] != 2) {
    throw InvalidInput(fmt::format("{}: 'edges' has shape {}; expected [number of edges, 2]", path.string(),
                                   shape_text(edges.shape)));
  }
  const Array& labels = arrays.at("node_labels");
  if (labels.shape.size() != 1) {
    throw InvalidInput(fmt::format("{}: 'node_labels' has shape {}; expected one label per node",
                                   path.string(), shape_text(labels.shape)));
  }
  const Index nodes = checked_count(labels.shape[0], path.string());
  const std::vector<Index> ends = edges.as<Index>(fmt::format("{}, member 'edges'", path.string()));
  std::vector<Index> from(ends.size() / 2);
  std::vector<Index> to(ends.size() / 2);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (ends[i] < 0 || ends[i] >= nodes) {
      throw InvalidInput(fmt::format("{}, member 'edges': node id {} at [{}, {}] is outside 0..{}",
                                     path.string(), ends[i], i / 2, i % 2, nodes - 1));
    }
    (i % 2 == 0 ? from : to)[i / 2] = ends[i];
  }

  Loaded loaded;
  loaded.hypergraph = from_directed_graph(nodes, {from, to, options.first_column_is_tail});
  loaded.format = "heterophilous-graphs npz";
  for (auto& [name, array] : arrays) {
    if (name == "edges") continue;
    loaded.arrays[name == "node_features" ? kNodeFeatures
                  : name == "node_labels" ? kNodeLabels
                                          : name] = std::move(array);
  }
  return loaded;
}

}  // namespace

Format heterophilous_format() {
  return {
      .name = "heterophilous",
      .title = "heterophilous-graphs archive",
      .extensions = {".npz"},
      .recognised_by = "arrays `edges` and `node_labels`",
      .section = "raw-formats",
      .recognise =
          [](const Candidate& candidate) { return candidate.has("edges") && candidate.has("node_labels"); },
      .read = read_heterophilous};
}

}  // namespace dshn::io
