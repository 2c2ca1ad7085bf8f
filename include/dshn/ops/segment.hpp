#pragma once

#include "dshn/ops/incidence.hpp"

/// Sums, means, maxima and softmax over the members of a hyperedge or over the hyperedges of a node: what
/// message passing of every model is made of. Also registered as torch.ops.dshn.*, with `str over` = "edges"
/// or "nodes" and a torch.classes.dshn.Incidence.
///
/// Arrays with a row per incidence are in the order of the by-hyperedge view. float32 or float64; any
/// trailing dimensions are kept. All are differentiable once; a second derivative is refused. A row is summed
/// in a fixed order (tails first, then heads, each ascending): the same bits for any number of threads, and
/// no atomics. An empty segment gives zeros. Wrong arguments throw UsageError.
namespace dshn::ops {

/// What the segments are: the members of each hyperedge, or the hyperedges of each node.
enum class Over { edges, nodes };

/// edges: y_e = sum of x_v over the members v of e, [n, ...] -> [m, ...].
/// nodes: y_v = sum of x_e over the hyperedges e of v, [m, ...] -> [n, ...].
/// The rows of the incidences are never stored.
at::Tensor gather_sum(const at::Tensor& x, Over over, const Incidence& incidence);

/// The same with a coefficient per incidence, [nnz], or per incidence and head, [nnz, heads]: the last
/// dimension of x [rows, c] is cut into that many equal parts, one for each head. Differentiable in both.
at::Tensor gather_sum(const at::Tensor& x, const at::Tensor& coefficients, Over over,
                      const Incidence& incidence);

/// gather_sum divided by the number of summands.
at::Tensor gather_mean(const at::Tensor& x, Over over, const Incidence& incidence);

/// Entrywise maximum; the first of equal entries is the one that gets the gradient. NaN wins.
at::Tensor gather_max(const at::Tensor& x, Over over, const Incidence& incidence);

/// Values of incidences [nnz, ...] summed over each hyperedge [m, ...] or each node [n, ...].
at::Tensor segment_sum(const at::Tensor& values, Over over, const Incidence& incidence);
at::Tensor segment_mean(const at::Tensor& values, Over over, const Incidence& incidence);
at::Tensor segment_max(const at::Tensor& values, Over over, const Incidence& incidence);

/// The adjoint of segment_sum: rows of hyperedges [m, ...] or of nodes [n, ...] repeated for each of their
/// incidences, [nnz, ...].
at::Tensor expand(const at::Tensor& rows, Over over, const Incidence& incidence);

/// node_rows_u + edge_rows_e for each incidence (u, e): [n, ...] and [m, ...] -> [nnz, ...]. With the
/// products V_v x_v and V_e x_e as rows this is a linear layer on the pairs [x_v || x_e] without ever forming
/// them.
at::Tensor incidence_linear(const at::Tensor& node_rows, const at::Tensor& edge_rows,
                            const Incidence& incidence);

enum class Pool { sum, mean };

/// node_rows_u + the sum or mean of member_rows_v over the members v of e, for each incidence (u, e): [n,
/// ...] twice -> [nnz, ...]. A linear layer on a node and its hyperedge where the hyperedge is what its
/// members are.
at::Tensor member_linear(const at::Tensor& node_rows, const at::Tensor& member_rows, Pool pool,
                         const Incidence& incidence);

/// exp(v_i) / sum of exp(v_j) over the incidences j of the same hyperedge (or node), for each trailing entry
/// of values [nnz, ...] by itself; the greatest is subtracted first.
at::Tensor segment_softmax(const at::Tensor& values, Over over, const Incidence& incidence);

}  // namespace dshn::ops
