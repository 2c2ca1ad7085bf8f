#pragma once

#include <cstdint>

#include "ops/cpu/raw_view.hpp"

namespace dshn::ops::cpu {

/// out_r = reduction over the entries i of row r of in_i, rows of `columns` numbers. The row of `in` that
/// belongs to an entry is its other end, or with from_incidences its incidence.
template <typename T>
struct ReduceArgs {
  RawView view;
  std::int64_t columns;
  bool from_incidences;
  bool mean;
  const T* in;
  T* out;
  /// [rows, columns], for the maximum: the other end of the entry that won, -1 in an empty row. A node is in
  /// a hyperedge once, so this names the incidence.
  std::int32_t* winner;
};

/// out_i = nodes_u + edges_e for the incidences i = (u, e) of the by-hyperedge view; a null array adds
/// nothing.
template <typename T>
struct ExpandArgs {
  RawView view;
  std::int64_t columns;
  const T* nodes;
  const T* edges;
  T* out;
};

/// The gradient of a weighted sum in its coefficients: out_{ih} = rows_r . others_{end(i)} in part h of the
/// columns.
template <typename T>
struct DotArgs {
  RawView view;
  std::int64_t columns;
  std::int64_t heads;
  const T* rows;
  const T* others;
  T* out;
};

/// Gradients of the maximum. To the other ends: out_r = sum over entries i of g_{end(i)} where its winner is
/// r; to the incidences: out_i = g_r where the winner of row r is the other end of i, else 0.
template <typename T>
struct WinnerArgs {
  RawView view;
  std::int64_t columns;
  const T* g;
  const std::int32_t* winner;
  T* out;
};

/// Softmax within each row of the view, and its gradient from its result y and the gradient g of y.
template <typename T>
struct SoftmaxArgs {
  RawView view;
  std::int64_t columns;
  const T* in;
  const T* g;
  T* out;
};

/// The inner loops, compiled once per instruction set from one source. Each works on rows [begin, end).
template <typename T>
struct SegmentKernels {
  void (*sum)(const ReduceArgs<T>&, std::int64_t begin, std::int64_t end);
  void (*max)(const ReduceArgs<T>&, std::int64_t begin, std::int64_t end);
  void (*expand)(const ExpandArgs<T>&, std::int64_t begin, std::int64_t end);
  void (*dots)(const DotArgs<T>&, std::int64_t begin, std::int64_t end);
  void (*winners_to_other_ends)(const WinnerArgs<T>&, std::int64_t begin, std::int64_t end);
  void (*winners_to_incidences)(const WinnerArgs<T>&, std::int64_t begin, std::int64_t end);
  /// scratch: 2 * columns numbers.
  void (*softmax)(const SoftmaxArgs<T>&, std::int64_t begin, std::int64_t end, T* scratch);
  void (*softmax_gradient)(const SoftmaxArgs<T>&, std::int64_t begin, std::int64_t end, T* scratch);
};

/// Those of the chosen instruction set (see sheaf_kernels.hpp).
template <typename T>
const SegmentKernels<T>& segment_kernels();
template <>
const SegmentKernels<float>& segment_kernels<float>();
template <>
const SegmentKernels<double>& segment_kernels<double>();

}  // namespace dshn::ops::cpu
