#include "dshn/ops/incidence.hpp"

#include <ATen/ATen.h>

#include <memory>
#include <span>

#include "ops/checks.hpp"
#include "ops/long_ranges.hpp"

namespace dshn::ops {
namespace {

/// A tensor on memory that `owner` keeps, and that it keeps alive itself.
template <typename T>
at::Tensor on_memory(std::span<const T> values, at::ScalarType type,
                     const std::shared_ptr<const void>& owner) {
  if (values.empty()) return at::empty({0}, type);
  return at::from_blob(
      const_cast<T*>(values.data()), {static_cast<std::int64_t>(values.size())}, [owner](void*) {}, type);
}

at::Tensor pieces_of_long_ranges(const at::Tensor& ptr, const at::Tensor& split, std::int64_t entries) {
  const std::int64_t cut = cut_length(entries);
  const at::Tensor ends = ptr.to(at::kCPU);
  const at::Tensor middles = split.to(at::kCPU);
  const auto* end = ends.data_ptr<std::int64_t>();
  const auto* middle = middles.data_ptr<std::int64_t>();
  std::vector<std::int32_t> pieces;
  const auto cut_range = [&](std::int64_t first, std::int64_t last) {
    if (last - first <= cut) return;
    for_pieces(first, last, cut,
               [&](std::int64_t piece) { pieces.push_back(static_cast<std::int32_t>(piece)); });
  };
  for (std::int64_t row = 0; row < middles.size(0); ++row) {
    cut_range(end[row], middle[row]);
    cut_range(middle[row], end[row + 1]);
  }
  const at::Tensor result = at::empty({static_cast<std::int64_t>(pieces.size())}, at::kInt);
  std::copy(pieces.begin(), pieces.end(), result.data_ptr<std::int32_t>());
  return result.to(ptr.device());
}

/// Whether its rows can be read; what else is wrong is said when an operator is called.
bool has_rows(const View& view) {
  return view.ptr.scalar_type() == at::kLong && view.split.scalar_type() == at::kLong &&
         view.ptr.dim() == 1 && view.split.dim() == 1 && view.index.dim() == 1 &&
         view.ptr.size(0) == view.split.size(0) + 1;
}

}  // namespace

View::View(at::Tensor row_ptr, at::Tensor row_split, at::Tensor other_ends, at::Tensor incidences)
    : ptr(std::move(row_ptr)),
      split(std::move(row_split)),
      index(std::move(other_ends)),
      position(std::move(incidences)),
      pieces(pieces_of_long_ranges(ptr, split, index.size(0))) {}

Incidence::Incidence(const Hypergraph& h, const at::Device& device)
    : by_edge{on_memory(h.edge_ptr(), at::kLong, h.owner()), on_memory(h.head_begin(), at::kLong, h.owner()),
              on_memory(h.member_nodes(), at::kInt, h.owner()), at::empty({0}, at::kLong)},
      by_node{on_memory(h.node_ptr(), at::kLong, h.owner()),
              on_memory(h.node_head_begin(), at::kLong, h.owner()),
              on_memory(h.node_edges(), at::kInt, h.owner()),
              on_memory(h.node_incidences(), at::kLong, h.owner())} {
  *this = to(device);
}

Incidence::Incidence(const std::vector<at::Tensor>& tensors) {
  check(tensors.size() == 7 || tensors.size() == 9, "incidence", "7 or 9 tensors (see Incidence::tensors)",
        tensors.size());
  by_edge.ptr = tensors[0];
  by_edge.split = tensors[1];
  by_edge.index = tensors[2];
  by_edge.position = at::empty({0}, tensors[0].options());
  by_node.ptr = tensors[3];
  by_node.split = tensors[4];
  by_node.index = tensors[5];
  by_node.position = tensors[6];
  for (View* view : {&by_edge, &by_node}) {
    if (tensors.size() == 9)
      view->pieces = tensors[view == &by_edge ? 7 : 8];
    else
      view->pieces = has_rows(*view) ? pieces_of_long_ranges(view->ptr, view->split, view->index.size(0))
                                     : at::empty({0}, view->ptr.options().dtype(at::kInt));
  }
}

Incidence Incidence::to(const at::Device& device) const {
  std::vector<at::Tensor> moved;
  for (const at::Tensor& tensor : tensors()) moved.push_back(tensor.to(device));
  return Incidence(moved);
}

std::vector<at::Tensor> Incidence::tensors() const {
  return {by_edge.ptr,   by_edge.split,    by_edge.index,  by_node.ptr,   by_node.split,
          by_node.index, by_node.position, by_edge.pieces, by_node.pieces};
}

}  // namespace dshn::ops
