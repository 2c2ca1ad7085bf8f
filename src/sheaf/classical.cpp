#include "dshn/sheaf/classical.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/ops/multiplicity.hpp"
#include "dshn/ops/sheaf.hpp"
#include "sheaf/blocks.hpp"

namespace dshn::sheaf {
namespace {

/// Hyperedges of one or two members, in the order in which they were added.
class PairList {
 public:
  void add(Index u, Role u_role, Index v, Role v_role) {
    push(u, u_role);
    if (u != v) push(v, v_role);
    ++edges_;
  }

  Hypergraph build(Index node_count) const { return {node_count, edges_, {edge_, node_, role_}}; }

 private:
  void push(Index node, Role role) {
    edge_.push_back(edges_);
    node_.push_back(node);
    role_.push_back(role);
  }

  Index edges_ = 0;
  std::vector<Index> edge_, node_;
  std::vector<Role> role_;
};

Hypergraph undirected(Index node_count, std::span<const Arc> edges) {
  PairList pairs;
  for (const auto& [from, to] : edges) pairs.add(from, Role::tail, to, Role::tail);
  return pairs.build(node_count);
}

at::Tensor trivial_maps(const Hypergraph& h) {
  return at::ones({h.incidence_count(), 1}, at::kDouble);
}

DirectedSheaf trivial_sheaf(const Hypergraph& h, double charge) {
  const at::Tensor maps = trivial_maps(h);
  return {h, charge, maps, 1};
}

}  // namespace

DirectedSheaf graph_laplacian(Index node_count, std::span<const Arc> edges) {
  return trivial_sheaf(undirected(node_count, edges), 0);
}

DirectedSheaf sheaf_laplacian(Index node_count, std::span<const Arc> edges, const at::Tensor& maps) {
  const auto count = static_cast<std::int64_t>(edges.size());
  if (!maps.defined() || !maps.is_floating_point() || maps.dim() != 4 || maps.size(0) != count ||
      maps.size(1) != 2 || maps.size(2) != maps.size(3)) {
    throw UsageError(fmt::format("maps: expected real [{}, 2, d, d], got {}", count, blocks::describe(maps)));
  }
  // A hyperedge lists its members in ascending order.
  at::Tensor order = at::empty({count, 2}, at::kLong);
  auto* position = order.data_ptr<std::int64_t>();
  for (std::int64_t e = 0; e < count; ++e) {
    const auto [from, to] = edges[e];
    if (from == to)
      throw UsageError(fmt::format("edge {}: a loop at node {} has no sheaf Laplacian", e, from));
    position[2 * e] = 2 * e + (from < to ? 0 : 1);
    position[2 * e + 1] = 2 * e + (from < to ? 1 : 0);
  }
  const std::int64_t d = maps.size(2);
  const at::Tensor sorted =
      maps.detach().reshape({2 * count, d, d}).index_select(0, order.reshape({2 * count}));
  return {undirected(node_count, edges), 0, sorted, d};
}

DirectedSheaf magnetic_laplacian(Index node_count, std::span<const Arc> arcs, double charge) {
  std::set<std::pair<Index, Index>> present;
  for (const auto& [from, to] : arcs) present.emplace(from, to);
  PairList pairs;
  std::vector<double> maps;
  for (const auto& [from, to] : present) {
    const bool both_ways = present.count({to, from}) > 0;
    if (both_ways && from > to) continue;  // the pair was added at its other arc
    pairs.add(from, Role::tail, to, both_ways ? Role::tail : Role::head);
    maps.insert(maps.end(), from == to ? 1 : 2, both_ways ? std::numbers::sqrt2 : 1.0);
  }
  at::Tensor tensor = at::empty({static_cast<std::int64_t>(maps.size()), 1}, at::kDouble);
  std::copy(maps.begin(), maps.end(), tensor.data_ptr<double>());
  return {pairs.build(node_count), charge, tensor, 1};
}

DirectedSheaf sign_magnetic_laplacian(Index node_count, std::span<const Arc> arcs) {
  return magnetic_laplacian(node_count, arcs, 0.25);
}

DirectedSheaf zhou_laplacian(const Hypergraph& hypergraph) {
  return trivial_sheaf(hypergraph, 0);
}

DirectedSheaf generalized_directed_laplacian(const Hypergraph& hypergraph) {
  return trivial_sheaf(hypergraph, 0.25);
}

DutaLaplacian::DutaLaplacian(const Hypergraph& hypergraph, const at::Tensor& maps,
                             std::int64_t stalk_dimension)
    : sheaf_(hypergraph, 0, maps, stalk_dimension) {
  const Hypergraph& h = sheaf_.hypergraph();
  at::Tensor scales = at::empty({h.edge_count()}, at::kDouble);
  for (Index e = 0; e < h.edge_count(); ++e) {
    scales.data_ptr<double>()[e] = h.size(e) > 0 ? h.weight(e) / h.total_weight(e) : h.weight(e);
  }
  diagonal_ =
      ops::degree_blocks(ops::repeated_maps(sheaf_.maps(), sheaf_.multiplicity()), scales, ops::Incidence(h));
}

at::Tensor DutaLaplacian::apply(const at::Tensor& x) const {
  const at::Tensor q = sheaf_.apply(Form::Q, x);
  return 2 * blocks::multiply(diagonal_, x) - q;
}

CsrMatrix DutaLaplacian::assemble() const {
  CsrMatrix matrix = sheaf::assemble(sheaf_, Form::Q);
  const std::int64_t d = sheaf_.stalk_dimension();
  for (std::int64_t r = 0; r < matrix.dimension; ++r) {
    for (std::int64_t i = matrix.row_ptr[r]; i < matrix.row_ptr[r + 1]; ++i) {
      if (matrix.col[i] / d != r / d) matrix.values[i] = -matrix.values[i];
    }
  }
  return matrix;
}

DutaLaplacian duta_counterexample() {
  const std::vector<Index> edge{0, 0, 0, 1, 1, 1};
  const std::vector<Index> node{0, 1, 2, 1, 2, 3};
  const Hypergraph h(4, 2, {edge, node, {}});
  const at::Tensor maps = trivial_maps(h);
  return {h, maps, 1};
}

}  // namespace dshn::sheaf
