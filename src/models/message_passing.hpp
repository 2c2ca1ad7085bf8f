#pragma once

#include "dshn/models/model.hpp"
#include "dshn/ops/segment.hpp"

/// What the message-passing baselines share.
namespace dshn::models {

/// The input with a hyperedge {v} behind the others for each node v that has none, as the baselines' authors
/// add them. Given hyperedge features get rows of zeros.
Input with_self_loops(const Input& input);

/// Number of hyperedges of each node [n] and of members of each hyperedge [m], in the precision of the input;
/// incidences with weights count so many times.
at::Tensor node_degrees(const Input& input);
at::Tensor edge_sizes(const Input& input);
/// The same with 1 for empty hyperedges, to divide by.
at::Tensor edge_sizes_or_one(const Input& input);

/// Sums and means over the members of each hyperedge, or over the hyperedges of each node (see
/// ops::gather_sum), in which incidences with weights count so many times.
at::Tensor sum_over(ops::Over over, const at::Tensor& rows, const Input& input);
at::Tensor mean_over(ops::Over over, const at::Tensor& rows, const Input& input);
/// The same of rows of the incidences, [nnz, ...].
at::Tensor sum_of_incidences(ops::Over over, const at::Tensor& values, const Input& input);
at::Tensor mean_of_incidences(ops::Over over, const at::Tensor& values, const Input& input);

/// What incidences count for in sums over the members of a hyperedge, or over the hyperedges of a node; absent: 1.
const ops::OptionalTensor& counts(ops::Over over, const Input& input);
/// Numbers of the incidences [nnz] times that.
at::Tensor with_counts(const at::Tensor& values, ops::Over over, const Input& input);

/// x^p where x is positive, else 0: 1/0 is 0 in every normalisation of the baselines.
at::Tensor power_or_zero(const at::Tensor& x, double p);

/// Rows [r, ...] times a factor per row [r].
at::Tensor scale_rows(const at::Tensor& rows, const at::Tensor& factors);

/// Rows that are to be classified: the nodes' as they are, or the sums over the members of each of the hyperedges that
/// were there before self-loops.
at::Tensor rows_of_target(const at::Tensor& node_rows, const Input& input, const Sizes& sizes);

/// What these rows stand for.
inline nn::Rows target_rows(const Sizes& sizes) {
  return sizes.target == Target::nodes ? nn::Rows::nodes : nn::Rows::edges;
}
inline nn::Rows rows_over(ops::Over over) {
  return over == ops::Over::nodes ? nn::Rows::nodes : nn::Rows::edges;
}
inline ops::Over other_end(ops::Over over) {
  return over == ops::Over::edges ? ops::Over::nodes : ops::Over::edges;
}

/// How many there are in all, wherever they are.
std::int64_t all_nodes(const Input& input);
std::int64_t all_edges(const Input& input);
/// Of a table with a row for each of these, the rows of those that are here.
at::Tensor rows_here(const at::Tensor& table, ops::Over over, const Input& input);
/// The sum of what each part of the hypergraph has.
double sum_over_parts(double value, const Input& input);

}  // namespace dshn::models
