#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "ops/long_ranges.hpp"

/// The CUDA kernels as the glue to libtorch calls them: raw device pointers and a stream. Nothing here waits
/// for the device, nothing uses atomics, and every sum runs in an order that shapes alone decide.
namespace dshn::ops::cuda {

/// One incidence view (see dshn::ops::View) in device memory. A null position means that entry i is
/// incidence i.
struct DeviceView {
  const std::int64_t* ptr;
  const std::int64_t* split;
  const std::int32_t* index;
  const std::int64_t* position;
  std::int64_t rows;
  std::int64_t entries;
  const std::int32_t* pieces;  // of the long ranges
  std::int64_t piece_count;
};
/// Rows of scratch that the partial sums of long ranges need.
inline std::int64_t partial_rows(const DeviceView& view) {
  const std::int64_t cut = cut_length(view.entries);
  return view.piece_count == 0 ? 0 : 2 * ((view.entries + cut - 1) / cut);
}

/// s = exp(-2 pi i q): on the device where a learned charge lives there, else as two numbers.
struct DevicePhase {
  bool rotate;
  const double* on_device;  // [2] (re, im), or null: the two numbers below
  double re, im;
};

/// phase[0] + i phase[1] = exp(-2 pi i q) for one charge in device memory.
template <typename T>
void launch_phase(const T* q, double* phase, cudaStream_t stream);

/// A random mask whose key is in device memory (see dshn/ops/dropout.hpp). A null key drops nothing.
struct DeviceMask {
  const std::int64_t* step_key;
  std::int64_t call;
  std::uint32_t threshold;
  double scale;
};

/// What is done to a row before it is stored: see dshn/ops/rectify.hpp.
template <typename T>
struct RowEnd {
  bool rectifies;
  const T* skip;  // null: none
  DeviceMask mask;
};

/// out_r = scale_r ( s sum over tail entries of map_i in_i + sum over head entries of map_i in_i ), rows of
/// blocks x planes x channels numbers.
template <typename T>
struct SumArgs {
  DeviceView view;
  std::int64_t blocks, planes, channels;
  /// Null: 1. Else map_blocks numbers per incidence that scale the blocks (1: all of them), or, when general,
  /// a blocks x blocks matrix.
  const T* maps;
  std::int64_t map_blocks;
  bool general, transpose;
  DevicePhase phase;
  bool conjugate;       // conj(s) instead of s
  bool by_incidence;    // the row of `in` is the entry's incidence instead of its other end
  bool divide_by_size;  // scale_r = 1 / number of entries
  const T* weight;      // and times this; null: 1
  const T* in;
  T* out;
  RowEnd<T> end;
  /// [rows of in, row], or null: an entry counts only where the winner at the other end is r.
  const std::int32_t* winner;

  /// The rest is for sums that autograd asks for, and comes from SumPlan.
  const T* partner;   // a row for each row of out
  double* tail_dots;  // [rows, tasks, 2], or null: conj(tail sum before phase and scale) . partner
  double* row_dots;   // [rows, tasks], or null: Re(conj(out_r) . partner_r)
  T* partial;         // [partial_rows, row]

  DSHN_HOST_DEVICE std::int64_t row() const { return blocks * planes * channels; }
};

/// What a sum needs beside its arguments: known from shapes and addresses.
struct SumPlan {
  std::int64_t tasks;         // a row is shared by this many groups of threads
  std::int64_t partial_rows;  // scratch for rows with many entries
};

template <typename T>
SumPlan plan_sum(const SumArgs<T>& args);
template <typename T>
void launch_sum(const SumArgs<T>& args, cudaStream_t stream);

/// Gradient of the maps from rows of nodes (g, x) and of hyperedges (h, k): for each incidence (u, e)
///   g_map = Re( h_e conj(s g_u)^T ) + Re( conj(k_e) (s x_u)^T ),    s = phase on tails, 1 on heads.
/// With null k and x, only the first term.
template <typename T>
struct MapGradientArgs {
  DeviceView view;
  std::int64_t blocks, planes, channels, map_blocks;
  bool general;
  DevicePhase phase;
  const T *h, *g, *k, *x;
  T* g_maps;
};
template <typename T>
void launch_map_gradient(const MapGradientArgs<T>& args, cudaStream_t stream);

/// Entrywise maximum of the entries' rows; winner names the other end of the entry that won, -1 in an empty
/// row.
template <typename T>
struct MaxArgs {
  DeviceView view;
  std::int64_t columns;
  bool by_incidence;
  const T* in;
  T* out;
  std::int32_t* winner;
  T* partial;  // [partial_rows, columns], as is the next
  std::int32_t* partial_winner;
};
template <typename T>
void launch_max(const MaxArgs<T>& args, cudaStream_t stream);

/// out_i = nodes_u + edges_e for the incidences i = (u, e) of the by-hyperedge view; a null array adds
/// nothing.
template <typename T>
void launch_expand(const DeviceView& view, std::int64_t columns, const T* nodes, const T* edges, T* out,
                   cudaStream_t stream);

/// out_i = g_r where the winner of row r is the other end of its entry i, else 0.
template <typename T>
void launch_winners(const DeviceView& view, std::int64_t columns, const T* g, const std::int32_t* winner,
                    T* out, cudaStream_t stream);

/// Softmax of `in` within each row, or its gradient where `in` is the softmax and g the gradient of it.
template <typename T>
void launch_softmax(const DeviceView& view, std::int64_t columns, const T* in, const T* g, T* out,
                    cudaStream_t stream);

/// Maps and blocks of nodes: d numbers each, or d x d where general.
template <typename T>
struct NodeBlockArgs {
  DeviceView by_node;
  DeviceView by_edge;
  std::int64_t d;
  bool general;
  const T* maps;
  const T* weight;  // of hyperedges; null: 1

  DSHN_HOST_DEVICE std::int64_t size() const { return general ? d * d : d; }
};

/// `partial` holds partial_rows(by_node) rows of size() doubles, or partial_rows(by_edge) doubles where it is
/// for hyperedges.
/// D_u = sum_e w_e F^T F.
template <typename T>
void launch_degree_blocks(const NodeBlockArgs<T>& args, double* blocks, double* partial, cudaStream_t stream);
/// g_maps = w F (g + g^T); g_weight (null: not asked for) = sum over the members of <F^T F, g_u>.
template <typename T>
void launch_degree_gradient(const NodeBlockArgs<T>& args, const double* g, T* g_maps, T* g_weight,
                            double* partial, cudaStream_t stream);
/// out = F N_u.
template <typename T>
void launch_scale_maps(const NodeBlockArgs<T>& args, const double* blocks, T* out, cudaStream_t stream);
/// g_maps = gM N_u^T, g_blocks = sum_e F^T gM.
template <typename T>
void launch_scale_gradient(const NodeBlockArgs<T>& args, const T* gm, const double* blocks, T* g_maps,
                           double* g_blocks, double* partial, cudaStream_t stream);

/// Inverse square roots of blocks [count, d] (vectors null) or [count, d, d], with eigenvalues and vectors.
/// `work` holds as many numbers as the blocks.
void launch_inverse_sqrt(const double* blocks, std::int64_t count, std::int64_t d, double* out,
                         double* vectors, double* values, double* work, cudaStream_t stream);
void launch_inverse_sqrt_gradient(const double* g, const double* vectors, const double* values,
                                  std::int64_t count, std::int64_t d, double* out, double* work,
                                  cudaStream_t stream);

/// y = (I (x) W) x + added / d, and the mean of the blocks, for rows of d blocks of `length` numbers.
template <typename T>
struct StalkArgs {
  std::int64_t rows, d, length;
  const T* x;
  const T* weight;
  const T* added;  // [rows, length], to every block; null: nothing
  T* y;
  T* mean;  // [rows, length]; null: not asked for
};
template <typename T>
void launch_stalk_product(const StalkArgs<T>& args, cudaStream_t stream);
/// gradient [d, d] = sum over rows and columns of g x^T. `partial` holds stalk_partial_rows rows of d x d
/// doubles.
std::int64_t stalk_partial_rows(std::int64_t rows, std::int64_t length);
template <typename T>
void launch_stalk_gradient(const T* g, const T* x, T* gradient, double* partial, std::int64_t rows,
                           std::int64_t d, std::int64_t length, cudaStream_t stream);

/// See dshn/ops/dropout.hpp. `numbers`: of the entries, or null, and then planes and channels say them.
template <typename T>
void launch_dropout(const T* x, T* out, std::int64_t count, const DeviceMask& mask, std::int64_t planes,
                    std::int64_t channels, const std::int64_t* numbers, cudaStream_t stream);

/// See dshn/ops/rectify.hpp. `other` is the skip (null: none), or the output where `in` is its gradient.
template <typename T>
struct RectifyArgs {
  std::int64_t numbers, planes, channels;
  const T* in;
  const T* other;
  T* out;
  DeviceMask mask;
};
template <typename T>
void launch_rectify(const RectifyArgs<T>& args, cudaStream_t stream);
template <typename T>
void launch_rectify_gradient(const RectifyArgs<T>& args, cudaStream_t stream);

/// See dshn/ops/whiten.hpp. `runs` of planes x channels numbers; with a gradient g, dL/dx.
template <typename T>
struct WhitenArgs {
  std::int64_t runs, planes, channels;
  double epsilon;
  const T* x;
  const T* g;  // null: whiten
  T* out;
};
template <typename T>
void launch_whiten(const WhitenArgs<T>& args, cudaStream_t stream);

}  // namespace dshn::ops::cuda
