#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn::ops {

/// One of the two incidence views, as tensors. Row r owns the entries [ptr[r], ptr[r+1]); those before
/// split[r] are tail incidences, the others head incidences, so that a phase is paid once per row.
struct View {
  at::Tensor ptr;    // int64 [rows + 1]
  at::Tensor split;  // int64 [rows]
  at::Tensor index;  // int32 [nnz]: the node (or hyperedge) at the other end
  /// int64 [nnz]: which incidence this is, counted by hyperedge; empty means 0, 1, 2, ...
  at::Tensor position;
  at::Tensor pieces;  // int32: into which long rows are cut on a GPU

  View() = default;
  /// Finds the pieces.
  View(at::Tensor ptr, at::Tensor split, at::Tensor index, at::Tensor position);
};

/// The incidences of a hypergraph on a device. Arrays with a row per incidence (maps, attention, ...) are
/// always in the order of the by-hyperedge view.
struct Incidence {
  View by_edge;  // rows are hyperedges, index holds nodes
  View by_node;  // rows are nodes, index holds hyperedges

  Incidence() = default;
  /// On the CPU the tensors stand on the hypergraph's own memory, and keep it alive.
  explicit Incidence(const Hypergraph& hypergraph, const at::Device& device = at::kCPU);
  /// From the list that the registered operators take (see tensors()); without the last two the pieces are
  /// found anew.
  explicit Incidence(const std::vector<at::Tensor>& tensors);

  std::int64_t nodes() const { return by_node.split.size(0); }
  std::int64_t edges() const { return by_edge.split.size(0); }
  std::int64_t incidences() const { return by_edge.index.size(0); }
  Incidence to(const at::Device& device) const;

  /// by_edge.ptr, .split, .index, then by_node.ptr, .split, .index, .position, then the pieces of both: what
  /// `Tensor[] incidence` of every registered operator means.
  std::vector<at::Tensor> tensors() const;
};

}  // namespace dshn::ops
