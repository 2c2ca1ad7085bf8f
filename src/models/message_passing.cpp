#include "models/message_passing.hpp"

#include <torch/torch.h>

#include "dshn/hypergraph/transforms.hpp"
#include "dshn/nn/elementwise.hpp"

namespace dshn::models {
namespace {

/// A hyperedge {v} for each node v that has a number of one.
Hypergraph with_loops_of(const Hypergraph& hypergraph, const at::Tensor& loops) {
  const auto* const numbers = loops.data_ptr<std::int64_t>();
  std::vector<Index> nodes;
  for (Index v = 0; v < hypergraph.node_count(); ++v)
    if (numbers[v] >= 0) nodes.push_back(v);
  return dshn::with_singletons(hypergraph, nodes);
}

ops::Whole whole_with_loops(const ops::Exchange& exchange, std::int64_t added) {
  ops::Whole whole = exchange.whole();
  const at::Tensor loops = whole.loops.masked_select(whole.loops >= 0);
  const at::Tensor count = at::full({1}, added, at::kLong);
  exchange.sum_of_parts(count);
  const auto append = [](at::Tensor& to, const at::Tensor& rows) {
    to = at::cat({to, rows.to(to.options())}).contiguous();
  };
  append(whole.edge_numbers, loops + whole.edges);
  append(whole.incidence_numbers, loops + whole.incidences);
  append(whole.edge_sizes, at::ones_like(loops));
  append(whole.edge_directed, at::zeros_like(loops));
  append(whole.edge_owned, at::ones_like(loops));
  whole.edges += count.item<std::int64_t>();
  whole.incidences += count.item<std::int64_t>();
  whole.loops = at::full_like(whole.loops, -1);
  return whole;
}

/// Sums divided by how many were added, 0 where none were.
at::Tensor divided(const at::Tensor& sums, ops::Over over, const Input& input) {
  const at::Tensor counts = over == ops::Over::edges ? edge_sizes(input) : node_degrees(input);
  return scale_rows(sums, power_or_zero(counts, -1));
}

}  // namespace

Input with_self_loops(const Input& input) {
  const ops::Exchange* exchange = input.incidence.exchange();
  const Hypergraph extended = exchange ? with_loops_of(input.hypergraph, exchange->whole().loops)
                                       : dshn::with_self_loops(input.hypergraph);
  const std::int64_t added = extended.edge_count() - input.hypergraph.edge_count();
  at::Tensor edge_x = input.edge_x;
  if (edge_x.defined()) edge_x = at::cat({edge_x, at::zeros({added, edge_x.size(1)}, edge_x.options())});
  Input result = Input(extended, input.x, edge_x).to(input.x.device(), input.x.scalar_type());
  if (exchange) result = result.as_part(exchange->on(whole_with_loops(*exchange, added), 1));
  result.given_edges = input.given_edges;
  if (const auto& counts = input.node_multiplicity; counts.has_value())
    result.node_multiplicity = at::cat({*counts, at::ones({added}, counts->options())});
  return result;
}

std::int64_t all_nodes(const Input& input) {
  const ops::Exchange* exchange = input.incidence.exchange();
  return exchange ? exchange->whole().nodes : input.incidence.nodes();
}

std::int64_t all_edges(const Input& input) {
  const ops::Exchange* exchange = input.incidence.exchange();
  return exchange ? exchange->whole().edges : input.incidence.edges();
}

at::Tensor rows_here(const at::Tensor& table, ops::Over over, const Input& input) {
  const ops::Exchange* exchange = input.incidence.exchange();
  if (exchange == nullptr) return table;
  const ops::Whole& whole = exchange->whole();
  return table.index_select(0, over == ops::Over::edges ? whole.edge_numbers : whole.node_numbers);
}

double sum_over_parts(double value, const Input& input) {
  if (input.incidence.exchange() == nullptr) return value;
  const at::Tensor sum = at::full({1}, value, at::kDouble);
  input.incidence.exchange()->sum_of_parts(sum);
  return sum.item<double>();
}

const ops::OptionalTensor& counts(ops::Over over, const Input& input) {
  const bool of_sample = over == ops::Over::nodes && input.node_multiplicity.has_value();
  return of_sample ? input.node_multiplicity : input.multiplicity;
}

at::Tensor node_degrees(const Input& input) {
  if (const auto& each = counts(ops::Over::nodes, input); each.has_value())
    return ops::segment_sum(*each, ops::Over::nodes, input.incidence);
  return input.incidence.by_node().row_sizes().to(input.x.scalar_type());
}

at::Tensor edge_sizes(const Input& input) {
  if (input.multiplicity.has_value())
    return ops::segment_sum(*input.multiplicity, ops::Over::edges, input.incidence);
  return input.incidence.edge_sizes().to(input.x.scalar_type());
}

at::Tensor edge_sizes_or_one(const Input& input) {
  const at::Tensor sizes = edge_sizes(input);
  return at::where(sizes > 0, sizes, at::ones_like(sizes));
}

at::Tensor sum_over(ops::Over over, const at::Tensor& rows, const Input& input) {
  const ops::OptionalTensor& each = counts(over, input);
  return each.has_value() ? ops::gather_sum(rows, *each, over, input.incidence)
                          : ops::gather_sum(rows, over, input.incidence);
}

at::Tensor mean_over(ops::Over over, const at::Tensor& rows, const Input& input) {
  return counts(over, input).has_value() ? divided(sum_over(over, rows, input), over, input)
                                         : ops::gather_mean(rows, over, input.incidence);
}

at::Tensor sum_of_incidences(ops::Over over, const at::Tensor& values, const Input& input) {
  const ops::OptionalTensor& each = counts(over, input);
  return ops::segment_sum(each.has_value() ? scale_rows(values, *each) : values, over, input.incidence);
}

at::Tensor mean_of_incidences(ops::Over over, const at::Tensor& values, const Input& input) {
  return counts(over, input).has_value() ? divided(sum_of_incidences(over, values, input), over, input)
                                         : ops::segment_mean(values, over, input.incidence);
}

at::Tensor with_counts(const at::Tensor& values, ops::Over over, const Input& input) {
  const ops::OptionalTensor& each = counts(over, input);
  return each.has_value() ? values * *each : values;
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
  return sum_over(ops::Over::edges, node_rows, input).narrow(0, 0, input.given_edges);
}

}  // namespace dshn::models
