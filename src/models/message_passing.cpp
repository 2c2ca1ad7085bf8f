#include "models/message_passing.hpp"

#include <torch/torch.h>

#include "dshn/hypergraph/transforms.hpp"

namespace dshn::models {

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
  return input.incidence.by_node().row_sizes().to(input.x.scalar_type());
}

at::Tensor edge_sizes(const Input& input) {
  return input.incidence.by_edge().row_sizes().to(input.x.scalar_type());
}

at::Tensor power_or_zero(const at::Tensor& x, double p) {
  return at::where(x > 0, x.pow(p), at::zeros_like(x));
}

at::Tensor scale_rows(const at::Tensor& rows, const at::Tensor& factors) {
  return rows * factors.unsqueeze(1);
}

at::Tensor rows_of_target(const at::Tensor& node_rows, const Input& input, const Sizes& sizes) {
  if (sizes.target == Target::nodes) return node_rows;
  return ops::gather_sum(node_rows, ops::Over::edges, input.incidence).narrow(0, 0, sizes.edges);
}

}  // namespace dshn::models
