#pragma once

#include <torch/torch.h>

#include "dshn/hypergraph/hypergraph.hpp"

namespace dshn::bench {

/// The same operator as the paper's code applies it: an nd x nd sparse Hermitian matrix with a block for each
/// pair of members, filled anew from the maps in every step, then a product with the signal. Diagonal maps.
///
/// Written to be as good as libtorch allows: the pattern is made once, outside of what is measured; equal
/// positions are merged; the matrix is CSR, in its real form, with re and im side by side; the product's
/// gradient in the values is sampled at the pattern in slices instead of forming a dense nd x nd matrix.
class AssembledPath {
 public:
  AssembledPath(const Hypergraph& hypergraph, std::int64_t d);

  /// Q_N x for x [n, d, 2, f] and maps [nnz, d], differentiable in both.
  at::Tensor diffuse(const at::Tensor& x, const at::Tensor& maps, double q) const;

  /// Moves the pattern.
  void to(const at::Device& device);

  std::int64_t pairs() const { return first_.size(0); }

 private:
  at::Tensor normalized(const at::Tensor& maps) const;

  std::int64_t nodes_;
  std::int64_t d_;
  at::Tensor node_;              // [nnz]
  at::Tensor first_, second_;    // [pairs]: the two incidences of a pair
  at::Tensor scale_;             // [pairs, 1]: 1 / |e|
  at::Tensor turn_;              // [pairs, 1]: role of the first minus role of the second, in {-1, 0, 1}
  at::Tensor slot_;              // [pairs * d]: position of each number of a pair's block in the matrix
  at::Tensor row_ptr_, column_;  // CSR of the nd x nd matrix
  at::Tensor row_;               // [nonzeros]
};

}  // namespace dshn::bench
