#include "models/pair_linear.hpp"

#include <torch/torch.h>

#include "dshn/nn/linear.hpp"
#include "models/message_passing.hpp"

namespace dshn::models {
namespace {

/// Rows split into their mean [r, 1], variance [r, 1] and what is left [r, f].
struct CentredRows {
  at::Tensor mean;
  at::Tensor rest;
  at::Tensor variance;

  explicit CentredRows(const at::Tensor& rows)
      : mean(rows.mean(1, /*keepdim=*/true)), rest(rows - mean), variance(rest.square().mean(1, true)) {}
};

}  // namespace

PairLinear::PairLinear(std::int64_t width, std::int64_t outputs, bool norm)
    : width_(width), linear_(register_module("linear", torch::nn::Linear(2 * width, outputs))) {
  if (norm) {
    norm_ = register_module("input_norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({2 * width})));
  }
}

at::Tensor PairLinear::half(const at::Tensor& columns, std::int64_t which) const {
  return columns.narrow(-1, which * width_, width_);
}

at::Tensor PairLinear::forward(const at::Tensor& node_rows, const at::Tensor& edge_rows,
                               const ops::Incidence& incidence) {
  if (norm_) return normalised(node_rows, edge_rows, incidence);
  return ops::incidence_linear(nn::linear_rows(node_rows, half(linear_->weight, 0), linear_->bias),
                               nn::linear_rows(edge_rows, half(linear_->weight, 1)), incidence);
}

at::Tensor PairLinear::node_mean(const at::Tensor& node_rows, const at::Tensor& edge_rows,
                                 const Input& input) {
  if (norm_)
    return mean_of_incidences(ops::Over::nodes, normalised(node_rows, edge_rows, input.incidence), input);
  return nn::linear_rows(node_rows, half(linear_->weight, 0), linear_->bias) +
         nn::linear_rows(mean_over(ops::Over::nodes, edge_rows, input), half(linear_->weight, 1));
}

at::Tensor PairLinear::normalised(const at::Tensor& node_rows, const at::Tensor& edge_rows,
                                  const ops::Incidence& incidence) {
  const CentredRows nodes(node_rows);
  const CentredRows edges(edge_rows);
  // Half the difference of the means: what the pair's own mean leaves of each half's mean.
  const at::Tensor shift = ops::incidence_linear(nodes.mean / 2, -edges.mean / 2, incidence);
  const at::Tensor variance =
      ops::incidence_linear(nodes.variance / 2, edges.variance / 2, incidence) + shift.square();
  const at::Tensor weight = linear_->weight * norm_->weight;
  const at::Tensor rows = ops::incidence_linear(nn::linear_rows(nodes.rest, half(weight, 0)),
                                                nn::linear_rows(edges.rest, half(weight, 1)), incidence);
  const at::Tensor along_shift = (half(weight, 0) - half(weight, 1)).sum(1);
  const at::Tensor constant = nn::linear_rows(norm_->bias.unsqueeze(0), linear_->weight, linear_->bias);
  return (rows + shift * along_shift) * (variance + norm_->options.eps()).rsqrt() + constant;
}

}  // namespace dshn::models
