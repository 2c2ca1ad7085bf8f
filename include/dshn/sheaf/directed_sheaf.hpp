#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/ops/incidence.hpp"
#include "dshn/ops/optional.hpp"

namespace dshn::sheaf {

/// The matrices of one sheaf. With D_V the node degree blocks, P the projection on the range of D_V and
/// D_V^(-1/2) the Moore-Penrose inverse root:
///   L = D_V - Q,   Q_N = D_V^(-1/2) Q D_V^(-1/2),   L_N = D_V^(-1/2) L D_V^(-1/2) = P - Q_N.
/// The last one is what the paper writes for L_N; the two differ on the null space of D_V only.
enum class Form : std::uint8_t { L, Q, L_N, Q_N, I_minus_Q_N };

const char* form_name(Form form);

/// What D_V is: the sums of F^T F, or these plus the identity, as `add_identity` of DSHN has it. With the latter
/// every block is regular, P = I, and the eigenvalues of L_N still lie in [0, 1].
enum class Degree : std::uint8_t { blocks, plus_identity };

/// A Directed Hypergraph Cellular Sheaf (paper, section 'Directed Sheaf Hypergraph Laplacian') and its
/// operators, for analysis: float64, on the CPU, outside of any autograd graph. Learning calls dshn::ops with
/// tensors that require gradients.
///
/// A signal is a float64 tensor [n, d, 2, f] with the re and im planes of each stalk component, or
/// [n, d, 1, f] where is_real(). to_planar and to_complex convert from and to complex [n*d, f], node-major: row u*d + k
/// is component k of node u.
class DirectedSheaf {
 public:
  /// maps: real F_ue in the order of the by-hyperedge view, [nnz, 1] (a multiple of the identity), [nnz, d]
  /// (diagonals) or [nnz, d, d]. Weights of hyperedges and of incidences are those of the hypergraph (see
  /// dshn/ops/multiplicity.hpp for what the latter mean). Throws UsageError when the
  /// maps do not fit, are not finite, or the charge is not.
  DirectedSheaf(const Hypergraph& hypergraph, double charge, const at::Tensor& maps,
                std::int64_t stalk_dimension, Degree degree = Degree::blocks);

  const Hypergraph& hypergraph() const { return hypergraph_; }
  double charge() const { return charge_; }
  Degree degree() const { return kind_; }
  std::int64_t stalk_dimension() const { return stalk_; }
  /// Rows of the matrices, n d.
  std::int64_t dimension() const { return hypergraph_.node_count() * stalk_; }
  /// float64 [nnz, 1], [nnz, d] or [nnz, d, d].
  const at::Tensor& maps() const { return maps_; }
  /// The weights of the incidences, [nnz]; absent when all are 1.
  const ops::OptionalTensor& multiplicity() const { return multiplicity_; }
  /// Whether all matrices are real: no charge, or no directed hyperedge.
  bool is_real() const { return real_; }
  /// Planes of a signal that the operators need at least: 1 where is_real(), else 2.
  std::int64_t planes() const { return real_ ? 1 : 2; }

  /// D_u, the pseudo-inverse roots of D_u, and the projections on the range of D_u: float64 [n, 1], [n, d]
  /// (diagonals) or [n, d, d], as the maps are.
  const at::Tensor& degree_blocks() const { return degree_; }
  const at::Tensor& inverse_sqrt_degree() const { return inverse_sqrt_; }
  const at::Tensor& range_projection() const { return projection_; }
  /// F_ue D_u^(-1/2), shaped as the maps are.
  const at::Tensor& normalized_maps() const { return normalized_maps_; }
  /// Whether every D_u is invertible, so that P = I.
  bool is_regular() const { return regular_; }

  /// The matrix times the signal, without the matrix: two gathers over the incidences.
  at::Tensor apply(Form form, const at::Tensor& x) const;

  /// A number that no eigenvalue exceeds; all eigenvalues are at least 0.
  double spectral_bound(Form form) const;

  /// x^dagger L_N x (or x^dagger L x) for each column, float64 [f], by the quadratic form.
  at::Tensor energy(const at::Tensor& x, bool normalized = true) const;

  /// The same as the sum of squares of Theorem 'dirichlet', never negative,
  ///   1/2 sum_e w_e/|e| sum_{u,v in e} |a_ue - a_ve|^2 = sum_e w_e sum_{u in e} |a_ue - mean_e|^2,
  /// where a_ue = s_ue F_ue D_u^(-1/2) x_u, or s_ue F_ue x_u when not normalized; incidences with weights count
  /// so many times in sums, sizes and means. The right-hand side costs one sweep. An identity in D_V adds sum_u |D_u^(-1/2) x_u|^2, or sum_u |x_u|^2.
  at::Tensor dirichlet_energy(const at::Tensor& x, bool normalized = true) const;

 private:
  void check_maps(const at::Tensor& maps) const;
  void check_signal(const at::Tensor& x) const;
  at::Tensor signless(const at::Tensor& x, const at::Tensor& maps) const;

  Hypergraph hypergraph_;
  double charge_;
  std::int64_t stalk_;
  Degree kind_;
  bool real_;
  bool regular_ = true;
  ops::Incidence incidence_;
  ops::OptionalTensor weight_;        // of hyperedges; absent when all are 1
  ops::OptionalTensor multiplicity_;  // of incidences; absent when all are 1
  ops::OptionalTensor repeated_weight_;
  at::Tensor maps_;
  at::Tensor degree_, inverse_sqrt_, projection_;
  at::Tensor normalized_maps_;
};

/// Complex or real [n*d, f] to planes [n, d, 2, f], or to [n, d, 1, f] when planes = 1 (imaginary parts,
/// which must then be zero, are dropped).
at::Tensor to_planar(const at::Tensor& x, std::int64_t stalk_dimension, std::int64_t planes = 2);
/// Planes to complex [n*d, f].
at::Tensor to_complex(const at::Tensor& x);

}  // namespace dshn::sheaf
