#include "models/message_passing.hpp"

#include <torch/torch.h>

#include "dshn/hypergraph/transforms.hpp"
#include "dshn/nn/elementwise.hpp"

namespace dshn::models {
namespace {

/// Sums divided by how many were added, 0 where none were.
at::Tensor divided(const at::Tensor& sums, ops::Over over, const Input& input) {
  const at::Tensor counts = over == ops::Over::edges ? edge_sizes(input) : node_degrees(input);
  return scale_rows(sums, power_or_zero(counts, -1));
}

}  // namespace

Input with_self_loops(const Input& input) {
  const Hypergraph extended = dshn::with_self_loops(input.hypergraph);
  at::Tensor edge_x = input.edge_x;
  if (edge_x.defined()) {
    const std::int64_t added = extended.edge_count() - input.hypergraph.edge_count();
    edge_x = at::cat({edge_x, at::zeros({added, edge_x.size(1)}, edge_x.options())});
  }
  return Input(extended, input.x, edge_x).to(input.x.device(), input.x.scalar_type());
}

at::Tensor node_degrees(const Input& input) {
  if (input.multiplicity.has_value())
    return ops::segment_sum(*input.multiplicity, ops::Over::nodes, input.incidence);
  return input.incidence.by_node().row_sizes().to(input.x.scalar_type());
}

at::Tensor edge_sizes(const Input& input) {
  if (input.multiplicity.has_value())
    return ops::segment_sum(*input.multiplicity, ops::Over::edges, input.incidence);
  return input.incidence.by_edge().row_sizes().to(input.x.scalar_type());
}

at::Tensor edge_sizes_or_one(const Input& input) {
  const at::Tensor sizes = edge_sizes(input);
  return at::where(sizes > 0, sizes, at::ones_like(sizes));
}

at::Tensor sum_over(ops::Over over, const at::Tensor& rows, const Input& input) {
  return input.multiplicity.has_value() ? ops::gather_sum(rows, *input.multiplicity, over, input.incidence)
                                        : ops::gather_sum(rows, over, input.incidence);
}

at::Tensor mean_over(ops::Over over, const at::Tensor& rows, const Input& input) {
  return input.multiplicity.has_value() ? divided(sum_over(over, rows, input), over, input)
                                        : ops::gather_mean(rows, over, input.incidence);
}

at::Tensor sum_of_incidences(ops::Over over, const at::Tensor& values, const Input& input) {
  return ops::segment_sum(input.multiplicity.has_value() ? scale_rows(values, *input.multiplicity) : values,
                          over, input.incidence);
}

at::Tensor mean_of_incidences(ops::Over over, const at::Tensor& values, const Input& input) {
  return input.multiplicity.has_value() ? divided(sum_of_incidences(over, values, input), over, input)
                                        : ops::segment_mean(values, over, input.incidence);
}

at::Tensor with_multiplicity(const at::Tensor& values, const Input& input) {
  return input.multiplicity.has_value() ? values * *input.multiplicity : values;
}

at::Tensor power_or_zero(const at::Tensor& x, double p) {
  return at::where(x > 0, nn::pow(x, p), at::zeros_like(x));
}

at::Tensor scale_rows(const at::Tensor& rows, const at::Tensor& factors) {
  std::vector<std::int64_t> shape(rows.dim(), 1);
  shape[0] = -1;
  return rows * factors.view(shape);
}

at::Tensor rows_of_target(const at::Tensor& node_rows, const Input& input, const Sizes& sizes) {
  if (sizes.target == Target::nodes) return node_rows;
  return sum_over(ops::Over::edges, node_rows, input).narrow(0, 0, sizes.edges);
}

}  // namespace dshn::models
