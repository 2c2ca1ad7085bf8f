#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "dshn/io/npy.hpp"
#include "dshn/io/npz.hpp"
#include "dshn/io/raw.hpp"
#include "dshn/io/sparse.hpp"

namespace dshn::io {
namespace {

namespace fs = std::filesystem;

/// A few bytes may claim any shape in coo layout; beyond these limits the claim must come with entries.
constexpr Index kAlwaysAllowed = Index{1} << 24;
constexpr Index kMostNodesPerEntry = 64;

Index checked_node_count(std::int64_t count, const fs::path& path) {
  if (count > std::numeric_limits<Index>::max()) {
    throw InvalidInput(fmt::format("{}: {} nodes; at most 2^31 - 1 are supported", path.string(), count));
  }
  return static_cast<Index>(count);
}

/// Labels of an adjacency matrix, from the file beside it; an empty path when there is none.
fs::path labels_beside(const fs::path& path) {
  constexpr std::string_view kAdjacencySuffix = "_adj";
  std::string stem = path.stem().string();
  if (stem.ends_with(kAdjacencySuffix)) stem.resize(stem.size() - kAdjacencySuffix.size());
  const fs::path labels = path.parent_path() / (stem + "_labels.npy");
  return fs::exists(labels) ? labels : fs::path();
}

}  // namespace

bool is_heterophilous(const std::vector<std::string>& members) {
  const auto has = [&](const char* name) {
    return std::find(members.begin(), members.end(), name) != members.end();
  };
  return has("edges") && has("node_labels");
}

Loaded read_heterophilous(const fs::path& path, const LoadOptions& options) {
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
    loaded.arrays[name == "node_features" ? "x" : name == "node_labels" ? "y" : name] = std::move(array);
  }
  return loaded;
}

Loaded read_adjacency(const fs::path& path, const LoadOptions& options) {
  const SparseMatrix matrix = read_sparse(path);
  if (matrix.rows != matrix.cols) {
    throw InvalidInput(fmt::format("{}: the sparse matrix is {} x {}; an adjacency matrix must be square",
                                   path.string(), matrix.rows, matrix.cols));
  }
  const Index nodes = checked_node_count(matrix.rows, path);
  if (nodes > kAlwaysAllowed && nodes / kMostNodesPerEntry > static_cast<std::int64_t>(matrix.row.size())) {
    throw InvalidInput(fmt::format("{}: {} nodes, but only {} entries; the shape cannot be right",
                                   path.string(), nodes, matrix.row.size()));
  }
  const auto values = matrix.values.as<std::complex<double>>(fmt::format("{}, member 'data'", path.string()));
  std::vector<Index> from;
  std::vector<Index> to;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0.0) continue;
    from.push_back(static_cast<Index>(matrix.row[i]));
    to.push_back(static_cast<Index>(matrix.col[i]));
  }
  Loaded loaded;
  loaded.hypergraph = from_directed_graph(nodes, {from, to, options.first_column_is_tail});
  loaded.format = "adjacency matrix (scipy sparse npz)";
  if (const fs::path labels = labels_beside(path); !labels.empty()) {
    loaded.arrays["y"] = read_npy(labels);
    loaded.format += " with labels (npy)";
  }
  return loaded;
}

}  // namespace dshn::io
