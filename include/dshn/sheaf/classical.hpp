#pragma once

#include <ATen/core/Tensor.h>

#include <span>

#include "dshn/sheaf/assemble.hpp"
#include "dshn/sheaf/directed_sheaf.hpp"

/// Laplacians of the literature as sheaves: the theorems of the paper's section 'Generalization Properties'
/// with their constants spelled out.
namespace dshn::sheaf {

/// From `from` to `to`; for undirected graphs the order says nothing.
struct Arc {
  Index from;
  Index to;
};

/// D - A of an undirected graph is 2 L (Theorem 'bodnar', trivial sheaf). Repeated edges count each time; a
/// loop cancels in both.
DirectedSheaf graph_laplacian(Index node_count, std::span<const Arc> edges);

/// The sheaf Laplacian of Hansen and Gebhart on an undirected graph, delta^T delta with
/// (delta x)_e = F_(from,e) x_from - F_(to,e) x_to, is 2 L (Theorem 'bodnar'). maps: [edges, 2, d, d], for
/// `from` and for `to`. A loop is a UsageError: it would need two maps of one node.
DirectedSheaf sheaf_laplacian(Index node_count, std::span<const Arc> edges, const at::Tensor& maps);

/// The Magnetic Laplacian of a directed graph, D_s - H^(q) with A_s = (A + A^T)/2, is L (Theorem 'magnet'). A
/// pair of opposite arcs is one undirected hyperedge with maps sqrt 2, and so is a loop; repeated arcs count
/// once, A being binary. Since D_V = 2 D_s and Q = D_s + H, L_N is half of the normalised Magnetic Laplacian.
DirectedSheaf magnetic_laplacian(Index node_count, std::span<const Arc> arcs, double charge);

/// The Sign-Magnetic Laplacian of a directed graph with unit weights: the Magnetic one at q = 1/4 (Theorem
/// 'magnet').
DirectedSheaf sign_magnetic_laplacian(Index node_count, std::span<const Arc> arcs);

/// The hypergraph Laplacian of Zhou, Huang and Schoelkopf, I - D_V^(-1/2) H W D_E^-1 H^T D_V^(-1/2), is
/// I - Q_N (Theorem 'zhou'): trivial maps, directions forgotten.
DirectedSheaf zhou_laplacian(const Hypergraph& hypergraph);

/// The Generalized Directed Laplacian of GeDi-HNN is I - Q_N (Theorem 'gedi'): trivial maps, q = 1/4.
DirectedSheaf generalized_directed_laplacian(const Hypergraph& hypergraph);

/// The linear sheaf hypergraph Laplacian of Duta et al. (paper, appendix 'On previous proposals'), which is
/// none of ours: diagonal blocks sum_e w_e/|e| F_u^T F_u, others -sum_e w_e/|e| F_u^T F_v, that is
/// 2 diag(Q) - Q. It is not positive semidefinite. Directions are forgotten.
class DutaLaplacian {
 public:
  DutaLaplacian(const Hypergraph& hypergraph, const at::Tensor& maps, std::int64_t stalk_dimension);

  const DirectedSheaf& sheaf() const { return sheaf_; }
  /// A signal as DirectedSheaf takes it, one plane or two.
  at::Tensor apply(const at::Tensor& x) const;
  CsrMatrix assemble() const;

 private:
  DirectedSheaf sheaf_;
  at::Tensor diagonal_;  // blocks of Q
};

/// The paper's example against the above: nodes 0..3, hyperedges {0,1,2} and {1,2,3}, trivial maps.
/// Eigenvalues 4/3, 1/3, (1 + sqrt 17)/6 and (1 - sqrt 17)/6 < 0.
DutaLaplacian duta_counterexample();

}  // namespace dshn::sheaf
