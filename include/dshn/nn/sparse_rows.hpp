#pragma once

#include <memory>

#include "dshn/nn/step.hpp"
#include "dshn/ops/incidence.hpp"

namespace dshn::nn {

/// A matrix of which few entries are not 0, such as counts of words: its products cost what its entries cost.
/// Its rows are kept as hyperedges whose members are columns, so that the segment operators multiply with it.
class SparseRows {
 public:
  /// Nothing where dense products are faster: with few columns or with many entries.
  static std::shared_ptr<const SparseRows> of(const at::Tensor& x);

  /// linear_rows(step.drop(x, dropout), weight, bias) with the same mask; differentiable in weight and bias.
  at::Tensor linear(const at::Tensor& weight, const at::Tensor& bias, const Step& step, double dropout) const;

  /// Whether it was made of this very tensor.
  bool stands_for(const at::Tensor& x) const { return dense_.is_same(x); }

 private:
  explicit SparseRows(const at::Tensor& x);

  at::Tensor dense_;
  ops::Incidence entries_;
  at::Tensor values_;   // by row; undefined where all are 1
  at::Tensor numbers_;  // of the entries in the dense matrix, by which masks are drawn
};

}  // namespace dshn::nn
