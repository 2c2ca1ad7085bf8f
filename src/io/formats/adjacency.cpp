#include <fmt/format.h>

#include <cmath>
#include <complex>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "dshn/io/data_files.hpp"
#include "dshn/io/format.hpp"
#include "dshn/io/npy.hpp"
#include "dshn/io/sparse.hpp"
#include "io/id_table.hpp"
#include "io/weight_remarks.hpp"

namespace dshn::io {
namespace {

namespace fs = std::filesystem;

/// A few bytes may claim any shape in coo layout; beyond these limits the claim must come with entries.
constexpr Index kAlwaysAllowed = Index{1} << 24;
constexpr Index kMostNodesPerEntry = 64;

/// Labels of an adjacency matrix, from the file beside it; an empty path when there is none.
fs::path labels_beside(const fs::path& path) {
  constexpr std::string_view kAdjacencySuffix = "_adj";
  std::string stem = path.stem().string();
  if (stem.ends_with(kAdjacencySuffix)) stem.resize(stem.size() - kAdjacencySuffix.size());
  const fs::path labels = path.parent_path() / (stem + "_labels.npy");
  return fs::exists(labels) ? labels : fs::path();
}

/// The weight that an entry gives its arc.
double weight_of(std::complex<double> value, const SparseMatrix& matrix, std::size_t entry,
                 const fs::path& path) {
  if (value.imag() == 0 && std::isfinite(value.real()) && value.real() > 0) return value.real();
  throw InvalidInput(
      fmt::format("{}: the entry in row {}, column {} is no weight of an arc, a finite number above 0",
                  path.string(), matrix.row[entry], matrix.col[entry]),
      Topic{"incidence-weights"});
}

/// A square scipy sparse .npz, an arc for each entry that is not zero, from row to column, with the entry as its
/// weight. Labels come from
/// the .npy beside it: NAME_labels.npy for NAME.npz and for NAME_adj.npz.
Loaded read_adjacency(const fs::path& path, const LoadOptions& options) {
  const SparseMatrix matrix = read_sparse(path);
  if (matrix.rows != matrix.cols) {
    throw InvalidInput(fmt::format("{}: the sparse matrix is {} x {}; an adjacency matrix must be square",
                                   path.string(), matrix.rows, matrix.cols));
  }
  const Index nodes = checked_count(matrix.rows, path.string());
  if (nodes > kAlwaysAllowed && nodes / kMostNodesPerEntry > static_cast<std::int64_t>(matrix.row.size())) {
    throw InvalidInput(fmt::format("{}: {} nodes, but only {} entries; the shape cannot be right",
                                   path.string(), nodes, matrix.row.size()));
  }
  const auto values = matrix.values.as<std::complex<double>>(fmt::format("{}, member 'data'", path.string()));
  std::vector<Index> from;
  std::vector<Index> to;
  std::vector<double> weights;
  std::int64_t weighed = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0.0) continue;
    weighed += values[i] == 1.0 ? 0 : 1;
    if (options.incidence_weights == IncidenceWeights::use)
      weights.push_back(weight_of(values[i], matrix, i, path));
    from.push_back(static_cast<Index>(matrix.row[i]));
    to.push_back(static_cast<Index>(matrix.col[i]));
  }
  Loaded loaded;
  if (weighed == 0) weights.clear();
  loaded.hypergraph = from_directed_graph(nodes, {from, to, options.first_column_is_tail, weights});
  remark_on_arc_weights(loaded, weighed, options.incidence_weights);
  loaded.format = "adjacency matrix (scipy sparse npz)";
  if (const fs::path labels = labels_beside(path); !labels.empty()) {
    loaded.arrays[kNodeLabels] = read_npy(labels);
    loaded.format += " with labels (npy)";
  }
  return loaded;
}

}  // namespace

Format adjacency_format() {
  return {.name = "adjacency",
          .title = "scipy sparse matrix",
          .extensions = {".npz"},
          .recognised_by = "arrays `format`, `shape` and `data`",
          .section = "raw-formats",
          .recognise =
              [](const Candidate& candidate) {
                return candidate.has("format") && candidate.has("shape") && candidate.has("data");
              },
          .read = read_adjacency};
}

}  // namespace dshn::io
