#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "dshn/sheaf/directed_sheaf.hpp"

namespace dshn::sheaf {

/// A square Hermitian matrix in compressed rows, columns ascending within a row.
struct CsrMatrix {
  std::int64_t dimension = 0;
  std::vector<std::int64_t> row_ptr;  // dimension + 1
  std::vector<std::int64_t> col;
  std::vector<std::complex<double>> values;
  /// Whether every imaginary part is zero because the operator is real.
  bool real = false;

  std::int64_t entries() const { return static_cast<std::int64_t>(values.size()); }
};

/// sum_e |e|^2: the pairs of members that assembling has to visit.
std::int64_t member_pairs(const Hypergraph& hypergraph);

/// Blocks of the assembled matrix: pairs of nodes that share a hyperedge, plus the diagonal of nodes in none.
/// Exact; takes as long as visiting member_pairs.
std::int64_t block_count(const Hypergraph& hypergraph);

/// Blocks of the assembled matrix, or a bound where visiting all pairs of members would take too long.
struct BlockEstimate {
  std::int64_t member_pairs = 0;
  std::int64_t blocks = 0;
  bool exact = true;
};
BlockEstimate estimate_blocks(const Hypergraph& hypergraph);

/// What it costs to apply an operator once to one channel, and to hold what that needs.
struct Cost {
  std::int64_t multiply_adds = 0;
  std::int64_t bytes = 0;
};

/// Two gathers over the incidences: a complex number times a real map, twice (float64).
Cost matrix_free_cost(const DirectedSheaf& sheaf);
/// The assembled matrix with that many blocks, complex (or real) float64 in compressed rows with 64-bit
/// indices.
Cost assembled_cost(const DirectedSheaf& sheaf, std::int64_t blocks);

/// The matrix with a block for every pair of nodes that share a hyperedge, for export and for tests: nothing
/// here trains. Blocks are d x d for general maps and diagonal otherwise; entries that happen to be zero are
/// kept.
CsrMatrix assemble(const DirectedSheaf& sheaf, Form form);

}  // namespace dshn::sheaf
