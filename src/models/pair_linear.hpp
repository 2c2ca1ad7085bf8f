#pragma once

#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>

#include "dshn/models/model.hpp"

namespace dshn::models {

/// A linear layer on the pairs [x_v || x_e] of rows of nodes and hyperedges, one pair per incidence, which
/// never forms the pairs: W [x_v || x_e] = W_v x_v + W_e x_e needs two products over nodes and over
/// hyperedges, and one sum per incidence.
///
/// With `norm` each pair is layer-normalised first. Its mean and variance split too: with means a, b and
/// variances s, t of the two halves they are (a + b) / 2 and (s + t) / 2 + ((a - b) / 2)^2.
class PairLinear : public torch::nn::Module {
 public:
  /// Both halves have `width` columns.
  PairLinear(std::int64_t width, std::int64_t outputs, bool norm);

  /// One row per incidence, [nnz, outputs].
  at::Tensor forward(const at::Tensor& node_rows, const at::Tensor& edge_rows,
                     const ops::Incidence& incidence);

  /// The mean of these rows over the hyperedges of each node. Without a norm no row of an incidence is made.
  at::Tensor node_mean(const at::Tensor& node_rows, const at::Tensor& edge_rows, const Input& input);

 private:
  at::Tensor normalised(const at::Tensor& node_rows, const at::Tensor& edge_rows,
                        const ops::Incidence& incidence);
  /// The columns of W that meet the nodes' half (0) or the hyperedges' half (1) of a pair.
  at::Tensor half(const at::Tensor& columns, std::int64_t which) const;

  std::int64_t width_;
  torch::nn::LayerNorm norm_{nullptr};
  torch::nn::Linear linear_;
};

}  // namespace dshn::models
