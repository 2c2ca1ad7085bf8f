#pragma once

#include <Eigen/Core>
#include <vector>

#include "dshn/base/random.hpp"
#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/sheaf/directed_sheaf.hpp"
#include "dshn/sheaf/maps.hpp"

namespace dshn::test {

struct Member {
  Index node;
  Role role;
  Eigen::MatrixXd map;  // d x d
  double times = 1;     // how often it counts
};

/// A sheaf written down as the paper does, without any of the library's arrays.
struct ListedSheaf {
  Index n = 0;
  std::int64_t d = 1;
  double q = 0;
  sheaf::MapKind kind = sheaf::map_kind("general");
  std::vector<std::vector<Member>> edges;
  std::vector<double> weights;  // empty: all are 1
  double weight(std::size_t e) const { return weights.empty() ? 1.0 : weights[e]; }
  /// How many members e has, as often as they count.
  double size(std::size_t e) const;
};

sheaf::DirectedSheaf build(const ListedSheaf& listed);
Hypergraph build_hypergraph(const ListedSheaf& listed);

/// Drawn by RapidCheck: up to 7 nodes (the last one isolated in half of the cases), up to 6 hyperedges, among
/// them singletons, repeated ones and one with every node; d from 1 to 6; any charge; sometimes weights of
/// hyperedges, and sometimes of incidences; in a
/// quarter of the cases some maps are zero or see one direction only.
ListedSheaf arbitrary_sheaf();

/// Standard normal, complex, [n d, f].
Eigen::MatrixXcd random_signal(std::int64_t rows, std::int64_t columns, Random& random);

}  // namespace dshn::test
