#pragma once

#include <span>
#include <string>

#include "cli/terminal.hpp"
#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn::cli {

struct DrawOptions {
  int rows = 24;
  /// Class of each node, -1 for unknown; empty when there are none. Rows are then ordered by class, and
  /// columns by the classes that hyperedges lead from and to.
  std::span<const Index> node_labels;
  /// Class of each hyperedge, likewise; columns are then ordered by it.
  std::span<const Index> edge_labels;
};

/// Draws which nodes (rows) are in which hyperedges (columns), reduced to fit the terminal: upright strokes
/// are tails, level strokes heads, crosses both, dots members of undirected hyperedges; heavy where a spot is
/// crowded.
std::string draw_incidence(const Hypergraph& hypergraph, const DrawOptions& options,
                           const Terminal& terminal);

}  // namespace dshn::cli
