#include <fmt/format.h>

#include <limits>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "dshn/io/data_files.hpp"
#include "dshn/io/format.hpp"
#include "dshn/io/npz.hpp"
#include "io/raw.hpp"

namespace dshn::io {

Index checked_node_count(std::int64_t count, const std::filesystem::path& path) {
  if (count > std::numeric_limits<Index>::max()) {
    throw InvalidInput(fmt::format("{}: {} nodes; at most 2^31 - 1 are supported", path.string(), count));
  }
  return static_cast<Index>(count);
}

Loaded read_heterophilous(const std::filesystem::path& path, const LoadOptions& options) {
  Arrays arrays = read_npz(path);
  const auto found = arrays.find("edges");
  if (found == arrays.end() || !arrays.contains("node_labels")) {
    throw InvalidInput(fmt::format("{}: expected the arrays edges and node_labels", path.string()));
  }
  const Array edges = std::move(found->second);
  if (edges.shape.size() != 2 || edges.shape[1] != 2) {
    throw InvalidInput(fmt::format("{}: 'edges' has shape {}; expected [number of edges, 2]", path.string(),
                                   shape_text(edges.shape)));
  }
  const Array& labels = arrays.at("node_labels");
  if (labels.shape.size() != 1) {
    throw InvalidInput(fmt::format("{}: 'node_labels' has shape {}; expected one label per node",
                                   path.string(), shape_text(labels.shape)));
  }
  const Index nodes = checked_node_count(labels.shape[0], path);
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

Format heterophilous_format() {
  Format format;
  format.name = "heterophilous";
  format.title = "heterophilous-graphs archive";
  format.extensions = {".npz"};
  format.recognised_by = "arrays `edges` and `node_labels`";
  format.section = "raw-formats";
  format.recognise = [](const Candidate& candidate) {
    return candidate.has("edges") && candidate.has("node_labels");
  };
  format.read = read_heterophilous;
  return format;
}

}  // namespace dshn::io
