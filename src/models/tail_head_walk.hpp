#pragma once

#include "dshn/models/model.hpp"

namespace dshn::models {

/// A symmetric operator A = T H^T + H T^T on the nodes, by one number per incidence for each of the two
/// matrices [n, m]: leaving a node as a tail (T), entering one as a head (H). A itself is never formed.
struct SymmetricWalk {
  at::Tensor leave;  // [nnz]
  at::Tensor enter;  // [nnz]

  at::Tensor apply(const at::Tensor& rows, const ops::Incidence& incidence) const;
};

/// The random walk P = D_tail^-1 H_tail W D_head^-1 H_head^T: choose one of the hyperedges that you are a
/// tail of, then one of its heads, both by the weights of the incidences. All members of an undirected hyperedge are
/// tails and heads. In float64.
class TailHeadWalk {
 public:
  /// Rows of P sum to 1 where every node is a tail somewhere, as self-loop hyperedges ensure.
  explicit TailHeadWalk(const Input& input);

  /// The distribution 1 / n.
  at::Tensor uniform() const;
  /// The distribution pi = (1 - a) P^T pi + a / n of the walk that jumps anywhere with probability a, by
  /// power iteration.
  at::Tensor stationary(double teleport) const;

  /// D^(-1/2) G D^(-1/2) with G = (Pi^(1/2) P Pi^(-1/2) + Pi^(-1/2) P^T Pi^(1/2)) / 2 and D its row sums.
  SymmetricWalk symmetric(const at::Tensor& pi) const;

 private:
  ops::Incidence incidence_;
  double nodes_;      // n, those of other parts among them
  at::Tensor leave_;  // [nnz] of D_tail^-1 H_tail W
  at::Tensor enter_;  // [nnz] of H_head D_head^-1
};

}  // namespace dshn::models
