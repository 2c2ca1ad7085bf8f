#pragma once

#include <cstdint>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

/// Sums over the members of a hyperedge and over the hyperedges of a node, in plain loops.
namespace dshn::ops::reference {

using Rows = std::vector<double>;  // [rows, c]

enum class Kind { sum, mean, max };

/// The incidences of each hyperedge (or node), as positions in the by-hyperedge order, tails before heads.
std::vector<std::vector<Offset>> segments(const Hypergraph& hypergraph, bool over_edges);
/// For each incidence its node (or hyperedge): the other end, seen from a segment over hyperedges (or nodes).
std::vector<std::int64_t> other_end(const Hypergraph& hypergraph, bool over_edges);

/// y_rc = sum, mean or max over the incidences i of segment r of values_ic; 0 for an empty segment.
Rows reduce(const std::vector<std::vector<Offset>>& rows, const Rows& values, std::int64_t c, Kind kind);

/// values_ic = coefficient_{i, head of c} * x_{end(i), c}; coefficients [nnz, heads], empty: 1.
Rows weigh(const std::vector<std::int64_t>& end, const Rows& x, std::int64_t c, const Rows& coefficients,
           std::int64_t heads);

/// exp(v_ih) / sum over the segment of exp(v_jh).
Rows softmax(const std::vector<std::vector<Offset>>& rows, const Rows& values, std::int64_t heads);

}  // namespace dshn::ops::reference
