#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>

#include "dshn/ops/incidence.hpp"
#include "dshn/ops/optional.hpp"
#include "ops/cpu/prefetch.hpp"
#include "ops/cpu/work_pieces.hpp"

namespace dshn::ops::cpu {

/// The maps with the nodes and the weights of the hyperedges that they are of.
template <typename T>
struct NodeMaps {
  std::int64_t nodes;
  std::int64_t edges;
  const std::int64_t* ptr;
  const std::int32_t* edge;
  const std::int64_t* position;
  const std::int64_t* edge_ptr;
  const std::int32_t* node;
  const T* maps;
  const T* weight;  // null: 1
  std::int64_t d;
  bool general;

  NodeMaps(const Incidence& in, const at::Tensor& given, const OptionalTensor& w)
      : nodes(in.nodes()),
        edges(in.edges()),
        ptr(in.by_node().ptr.data_ptr<std::int64_t>()),
        edge(in.by_node().index.data_ptr<std::int32_t>()),
        position(in.by_node().position.data_ptr<std::int64_t>()),
        edge_ptr(in.by_edge().ptr.data_ptr<std::int64_t>()),
        node(in.by_edge().index.data_ptr<std::int32_t>()),
        maps(given.data_ptr<T>()),
        weight(w.has_value() ? w->data_ptr<T>() : nullptr),
        d(given.size(1)),
        general(given.dim() == 3) {}

  /// Numbers of one map, which are also those of one block.
  std::int64_t size() const { return general ? d * d : d; }
  double weight_of(std::int64_t e) const { return weight == nullptr ? 1.0 : static_cast<double>(weight[e]); }
  std::int64_t cost() const { return size() * (general ? d : 1); }

  /// body(node, hyperedge, offset of the map), nodes in parallel, the incidences of a node in order: for sums over
  /// them. The maps lie by hyperedge, so they, and what is in `also` at their places, are asked for ahead of their turn.
  template <typename Body>
  void by_node(const Body& body, const T* also = nullptr) const {
    constexpr std::int64_t kAhead = 16;
    const std::int64_t last = ptr[nodes] - 1;
    parallel_rows_by_cost(ptr, nodes, cost(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t u = begin; u < end; ++u) {
        for (std::int64_t i = ptr[u]; i < ptr[u + 1]; ++i) {
          const std::int64_t ahead = position[std::min(i + kAhead, last)] * size();
          prefetch_line(maps + ahead);
          if (also != nullptr) prefetch_line(also + ahead);
          body(u, edge[i], position[i] * size());
        }
      }
    });
  }

  /// The same, hyperedges in parallel, the incidences of a hyperedge in order: one map after the other.
  template <typename Body>
  void by_edge(const Body& body) const {
    parallel_rows_by_cost(edge_ptr, edges, cost(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t e = begin; e < end; ++e) {
        for (std::int64_t i = edge_ptr[e]; i < edge_ptr[e + 1]; ++i) body(node[i], e, i * size());
      }
    });
  }
};

}  // namespace dshn::ops::cpu
