#pragma once

#include <ATen/core/Tensor.h>

#include "dshn/ops/incidence.hpp"
#include "dshn/ops/optional.hpp"
#include "ops/cpu/work_pieces.hpp"

namespace dshn::ops::cpu {

/// The maps as the nodes see them: the incidences of a node, the map each carries and the weight of its
/// hyperedge.
template <typename T>
struct NodeMaps {
  std::int64_t nodes;
  const std::int64_t* ptr;
  const std::int32_t* edge;
  const std::int64_t* position;
  const T* maps;
  const T* weight;  // null: 1
  std::int64_t d;
  bool general;

  NodeMaps(const Incidence& in, const at::Tensor& given, const OptionalTensor& w)
      : nodes(in.nodes()),
        ptr(in.by_node().ptr.data_ptr<std::int64_t>()),
        edge(in.by_node().index.data_ptr<std::int32_t>()),
        position(in.by_node().position.data_ptr<std::int64_t>()),
        maps(given.data_ptr<T>()),
        weight(w.has_value() ? w->data_ptr<T>() : nullptr),
        d(given.size(1)),
        general(given.dim() == 3) {}

  /// Numbers of one map, which are also those of one block.
  std::int64_t size() const { return general ? d * d : d; }
  double weight_of(std::int64_t entry) const {
    return weight == nullptr ? 1.0 : static_cast<double>(weight[edge[entry]]);
  }

  /// body(node, entry, offset of the entry's map), nodes in parallel, the entries of a node in order.
  template <typename Body>
  void for_each(const Body& body) const {
    parallel_rows_by_cost(ptr, nodes, size() * (general ? d : 1), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t u = begin; u < end; ++u) {
        for (std::int64_t i = ptr[u]; i < ptr[u + 1]; ++i) body(u, i, position[i] * size());
      }
    });
  }
};

}  // namespace dshn::ops::cpu
