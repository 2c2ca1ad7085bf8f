#include "dshn/ops/incidence.hpp"

#include <ATen/ATen.h>

#include <span>

#include "dshn/hypergraph/parallel.hpp"
#include "ops/checks.hpp"

namespace dshn::ops {
namespace {

template <typename T>
at::Tensor copy_of(std::span<const T> values, at::ScalarType type) {
  at::Tensor result = at::empty({static_cast<std::int64_t>(values.size())}, type);
  std::copy(values.begin(), values.end(), result.data_ptr<T>());
  return result;
}

/// The node view with the tails of each row first; inside a role the order by hyperedge is kept.
View tails_first(const Hypergraph& h) {
  View view{copy_of(h.node_ptr(), at::kLong), at::empty({h.node_count()}, at::kLong),
            at::empty({h.incidence_count()}, at::kInt), at::empty({h.incidence_count()}, at::kLong)};
  auto* split = view.split.data_ptr<std::int64_t>();
  auto* index = view.index.data_ptr<std::int32_t>();
  auto* position = view.position.data_ptr<std::int64_t>();
  parallel_for(h.node_count(), 4096, [&](Offset first, Offset last) {
    for (Offset v = first; v < last; ++v) {
      Offset out = h.node_ptr()[v];
      for (const Role role : {Role::tail, Role::head}) {
        for (Offset i = h.node_ptr()[v]; i < h.node_ptr()[v + 1]; ++i) {
          const Index e = h.node_edges()[i];
          if (h.role(e, h.node_incidences()[i]) != role) continue;
          index[out] = e;
          position[out++] = h.node_incidences()[i];
        }
        if (role == Role::tail) split[v] = out;
      }
    }
  });
  return view;
}

}  // namespace

Incidence::Incidence(const Hypergraph& h, const at::Device& device)
    : by_edge{copy_of(h.edge_ptr(), at::kLong), copy_of(h.head_begin(), at::kLong),
              copy_of(h.member_nodes(), at::kInt), at::empty({0}, at::kLong)},
      by_node(tails_first(h)) {
  *this = to(device);
}

Incidence::Incidence(const std::vector<at::Tensor>& tensors) {
  check(tensors.size() == 7, "incidence", "7 tensors (see Incidence::tensors)", tensors.size());
  by_edge = {tensors[0], tensors[1], tensors[2], at::empty({0}, tensors[0].options())};
  by_node = {tensors[3], tensors[4], tensors[5], tensors[6]};
}

Incidence Incidence::to(const at::Device& device) const {
  std::vector<at::Tensor> moved;
  for (const at::Tensor& tensor : tensors()) moved.push_back(tensor.to(device));
  return Incidence(moved);
}

std::vector<at::Tensor> Incidence::tensors() const {
  return {by_edge.ptr,   by_edge.split, by_edge.index,   by_node.ptr,
          by_node.split, by_node.index, by_node.position};
}

}  // namespace dshn::ops
