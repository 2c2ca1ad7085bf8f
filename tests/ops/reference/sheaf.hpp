#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"

/// The operators again, in single-threaded loops that read like the paper's equations. They are the oracle of
/// the tests: double precision, a complex number is a complex number, nothing is shared with the kernels.
namespace dshn::ops::reference {

/// A directed hypergraph with a real d x d restriction map F_ue per incidence.
struct Sheaf {
  const Hypergraph* hypergraph;
  std::int64_t d;
  double q;
  std::vector<double> maps;  // [nnz, d, d], by hyperedge

  double map(Offset incidence, std::int64_t row, std::int64_t column) const {
    return maps[(incidence * d + row) * d + column];
  }
};

using Signal = std::vector<std::complex<double>>;  // [n, d, f]
using Blocks = std::vector<double>;                // [n, d, d]

/// Q = sum_e (w_e / delta_e) B_e^H B_e, block by block:
/// y_u = sum_{e with u} sum_{v in e} (w_e / delta_e) m_ue m_ve conj(s_ue) F_ue^T s_ve F_ve x_v,
/// where m are the weights of the incidences and delta_e their sum.
Signal signless(const Sheaf& sheaf, const Signal& x, std::int64_t f);

/// D_u = sum_{e with u} w_e m_ue F_ue^T F_ue.
Blocks degree_blocks(const Sheaf& sheaf);

/// Moore-Penrose inverse square root of every block.
Blocks inverse_sqrt(const Blocks& blocks, std::int64_t d);

/// Q_N x = D_V^(-1/2) Q D_V^(-1/2) x.
Signal diffuse(const Sheaf& sheaf, const Signal& x, std::int64_t f);

}  // namespace dshn::ops::reference
