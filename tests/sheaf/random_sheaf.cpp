#include "sheaf/random_sheaf.hpp"

#include <ATen/ATen.h>

#include "dshn/sheaf/maps.hpp"

namespace dshn::test {
namespace {

using sheaf::MapKind;

/// The map of one incidence in the shape in which the library stores the kind.
at::Tensor stored(const Eigen::MatrixXd& map, const MapKind& kind) {
  const std::int64_t d = map.rows();
  if (kind.name == "trivial") return at::full({1}, map(0, 0), at::kDouble);
  at::Tensor full = at::empty({d, d}, at::kDouble);
  for (std::int64_t a = 0; a < d; ++a) {
    for (std::int64_t b = 0; b < d; ++b) full.data_ptr<double>()[a * d + b] = map(a, b);
  }
  return kind.name == "diagonal" ? full.diagonal().clone() : full;
}

std::vector<std::int64_t> stored_shape(const ListedSheaf& listed, std::int64_t nnz) {
  if (listed.kind.name == "trivial") return {nnz, 1};
  if (listed.kind.name == "diagonal") return {nnz, listed.d};
  return {nnz, listed.d, listed.d};
}

}  // namespace

double ListedSheaf::size(std::size_t e) const {
  double sum = 0;
  for (const Member& member : edges[e]) sum += member.times;
  return sum;
}

Hypergraph build_hypergraph(const ListedSheaf& listed) {
  std::vector<Index> edge;
  std::vector<Index> node;
  std::vector<Role> role;
  std::vector<double> times;
  for (std::size_t e = 0; e < listed.edges.size(); ++e) {
    for (const Member& member : listed.edges[e]) {
      edge.push_back(static_cast<Index>(e));
      node.push_back(member.node);
      role.push_back(member.role);
      times.push_back(member.times);
    }
  }
  HypergraphExtras extras;
  extras.edge_weights = listed.weights;
  return {listed.n,
          static_cast<Index>(listed.edges.size()),
          {edge, node, role, times},
          OnConflict::error,
          std::move(extras)};
}

sheaf::DirectedSheaf build(const ListedSheaf& listed) {
  Hypergraph h = build_hypergraph(listed);
  at::Tensor maps = at::zeros(stored_shape(listed, h.incidence_count()), at::kDouble);
  for (std::size_t e = 0; e < listed.edges.size(); ++e) {
    for (Offset i = h.edge_ptr()[e]; i < h.edge_ptr()[e + 1]; ++i) {
      for (const Member& member : listed.edges[e]) {
        if (member.node == h.member_nodes()[i]) maps[i].copy_(stored(member.map, listed.kind));
      }
    }
  }
  return {h, listed.q, maps, listed.d};
}

Eigen::MatrixXcd random_signal(std::int64_t rows, std::int64_t columns, Random& random) {
  Eigen::MatrixXcd signal(rows, columns);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      const double re = random.normal();
      signal(i, j) = {re, random.normal()};
    }
  }
  return signal;
}

}  // namespace dshn::test
