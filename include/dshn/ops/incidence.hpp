#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <memory>
#include <mutex>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/ops/exchange.hpp"

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

  /// int64 [rows]: how many entries each row has.
  at::Tensor row_sizes() const;
  /// int64 [nnz]: the row of each entry.
  at::Tensor rows() const;
};

/// What the handles of one incidence share; torch.classes.dshn.Incidence.
class IncidenceViews : public torch::CustomClassHolder {
 public:
  const View by_edge;  // rows are hyperedges, index holds nodes
  const std::int64_t nodes;
  const std::shared_ptr<const Exchange> exchange;  // null: this is all of the hypergraph

  IncidenceViews(View edges, View by_node, std::shared_ptr<const Exchange> exchange = nullptr);
  /// Without heads; the view by nodes is made when it is first asked for, as only gradients do.
  IncidenceViews(View edges, std::int64_t nodes);

  /// Rows are nodes, index holds hyperedges.
  const View& by_node() const;

 private:
  mutable std::once_flag made_;
  mutable View by_node_;
};

/// The incidences of a hypergraph on a device: a handle on tensors that were checked once, when they came, and
/// do not change. Arrays with a row per incidence (maps, attention, ...) are always in the order of the
/// by-hyperedge view.
class Incidence {
 public:
  /// None: every operator refuses it.
  Incidence() = default;
  /// On the CPU the tensors stand on the hypergraph's own memory, and keep it alive.
  explicit Incidence(const Hypergraph& hypergraph, const at::Device& device = at::kCPU);
  /// From a by-hyperedge view on any device, which is copied: Long [m + 1], Long [m] and Int [nnz], as
  /// Hypergraph has them. Throws UsageError or InvalidInput on what is not one, down to the last value.
  Incidence(const at::Tensor& edge_ptr, const at::Tensor& edge_split, const at::Tensor& edge_nodes,
            std::int64_t nodes);
  /// A sparse matrix: its rows are hyperedges without direction, their members the columns of its entries
  /// (Int), ascending in each row. It stands on these tensors, which may not change any more. Throws UsageError.
  static Incidence of_rows(const at::Tensor& row_ptr, const at::Tensor& columns, std::int64_t column_count);
  /// The handles that pass the dispatcher.
  explicit Incidence(c10::intrusive_ptr<IncidenceViews> views) : views_(std::move(views)) {}
  explicit Incidence(const c10::IValue& value);
  const c10::intrusive_ptr<IncidenceViews>& views() const { return views_; }
  c10::IValue ivalue() const;

  bool defined() const { return views_.defined(); }
  const View& by_edge() const { return views_->by_edge; }
  const View& by_node() const { return views_->by_node(); }
  std::int64_t nodes() const { return views_->nodes; }
  std::int64_t edges() const { return by_edge().split.size(0); }
  std::int64_t incidences() const { return by_edge().index.size(0); }
  at::Device device() const { return by_edge().ptr.device(); }
  /// UsageError for a part on another device than the CPU.
  Incidence to(const at::Device& device) const;

  /// These incidences as a part of a hypergraph whose other parts are elsewhere.
  Incidence as_part(std::shared_ptr<const Exchange> exchange) const;
  /// Null where this is all of the hypergraph.
  const Exchange* exchange() const { return views_->exchange.get(); }
  /// Long [m]: how many members each hyperedge has, those in other parts among them.
  at::Tensor edge_sizes() const {
    return exchange() ? exchange()->whole().edge_sizes : by_edge().row_sizes();
  }
  /// Each hyperedge cut in two: 2e has the tails of e, 2e + 1 its heads, all of them tails there. Arrays with a row
  /// per incidence stay as they are.
  Incidence halves() const;

 private:
  c10::intrusive_ptr<IncidenceViews> views_;
};

}  // namespace dshn::ops
