// Maxima, softmax, and what sends rows or gradients to the incidences.
#include "ops/cuda/device.cuh"

namespace dshn::ops::cuda {
namespace {

/// Takes a candidate that is larger than the best so far, or NaN.
template <typename T>
struct Best {
  T value = 0;
  std::int32_t whose = -1;

  __device__ __forceinline__ void offer(T candidate, std::int32_t from) {
    const bool larger = whose < 0 || candidate > value || candidate != candidate;
    value = larger ? candidate : value;
    whose = larger ? from : whose;
  }
};

template <typename T>
__device__ __forceinline__ void offer_entries(const MaxArgs<T>& args, std::int64_t column, std::int64_t begin,
                                              std::int64_t end, Best<T>& best) {
#pragma unroll 4
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int32_t whose = __ldg(args.view.index + i);
    const std::int64_t row = args.by_incidence ? incidence_of(args.view, i) : whose;
    best.offer(__ldg(args.in + row * args.columns + column), whose);
  }
}

/// A thread per number of the result.
template <typename T>
__global__ void __launch_bounds__(kThreads) max_rows(const MaxArgs<T> args, std::int64_t cut) {
  const std::int64_t at = group_index(1);
  const std::int64_t row = divide(at, args.columns);
  if (row >= args.view.rows) return;
  const std::int64_t column = at - row * args.columns;
  const std::int64_t middle = __ldg(args.view.split + row);
  Best<T> best;
  const auto offer_range = [&](std::int64_t begin, std::int64_t end) {
    if (end - begin <= cut) return offer_entries(args, column, begin, end, best);
    for_pieces(begin, end, cut, [&](std::int64_t piece) {
      best.offer(args.partial[piece * args.columns + column],
                 args.partial_winner[piece * args.columns + column]);
    });
  };
  offer_range(__ldg(args.view.ptr + row), middle);
  offer_range(middle, __ldg(args.view.ptr + row + 1));
  args.out[at] = best.value;
  args.winner[at] = best.whose;
}

template <typename T>
__global__ void __launch_bounds__(kThreads) max_pieces(const MaxArgs<T> args, std::int64_t cut) {
  const std::int64_t at = group_index(1);
  const std::int64_t nth = divide(at, args.columns);
  if (nth >= args.view.piece_count) return;
  const std::int64_t column = at - nth * args.columns;
  const std::int64_t piece = __ldg(args.view.pieces + nth);
  const Range range = piece_range(args.view, cut, piece, 1);
  Best<T> best;
  offer_entries(args, column, range.begin, range.end, best);
  args.partial[piece * args.columns + column] = best.value;
  args.partial_winner[piece * args.columns + column] = best.whose;
}

/// Groups of lanes take entries; body(row, entry, column) for every number of a row of `columns`.
template <typename Body>
__global__ void __launch_bounds__(kThreads)
    for_entries(const DeviceView view, std::int64_t columns, int lanes, bool needs_row, const Body body) {
  const std::int64_t entry = group_index(lanes);
  if (entry >= view.entries) return;
  const std::int64_t row = needs_row ? row_of_entry(view, entry) : 0;
  for (std::int64_t column = lane_index(lanes); column < columns; column += lanes) body(row, entry, column);
}

template <typename Body>
void launch_for_entries(const DeviceView& view, std::int64_t columns, bool needs_row, const Body& body,
                        const char* name, cudaStream_t stream) {
  if (view.entries == 0 || columns == 0) return;
  const int lanes = group_lanes(columns);
  for_entries<<<grid_for(view.entries, lanes), kThreads, 0, stream>>>(view, columns, lanes, needs_row, body);
  launched(name);
}

template <typename T>
struct Expand {
  DeviceView view;
  std::int64_t columns;
  const T* nodes;
  const T* edges;
  T* out;

  __device__ __forceinline__ void operator()(std::int64_t row, std::int64_t entry,
                                             std::int64_t column) const {
    const T edge = edges == nullptr ? T(0) : __ldg(edges + row * columns + column);
    const T node = nodes == nullptr ? T(0) : __ldg(nodes + __ldg(view.index + entry) * columns + column);
    // Not the sum where one is absent: it would lose the sign of a zero.
    out[entry * columns + column] = nodes == nullptr ? edge : edges == nullptr ? node : node + edge;
  }
};

template <typename T>
struct Winners {
  DeviceView view;
  std::int64_t columns;
  const T* g;
  const std::int32_t* winner;
  T* out;

  __device__ __forceinline__ void operator()(std::int64_t row, std::int64_t entry,
                                             std::int64_t column) const {
    const bool won = __ldg(winner + row * columns + column) == __ldg(view.index + entry);
    out[incidence_of(view, entry) * columns + column] = won ? __ldg(g + row * columns + column) : T(0);
  }
};

template <typename N>
__device__ __forceinline__ N group_max(N value, int lanes) {
  for (int step = lanes / 2; step > 0; step /= 2) {
    const N other = __shfl_xor_sync(kWholeWarp, value, step);
    value = other > value ? other : value;
  }
  return value;
}

__device__ __forceinline__ float exponential(float x) {
  return expf(x);
}
__device__ __forceinline__ double exponential(double x) {
  return exp(x);
}

/// A group of lanes per row and column; the lanes share the entries.
template <typename T>
__global__ void __launch_bounds__(kThreads)
    softmax_rows(const DeviceView view, std::int64_t columns, int lanes, const T* in, T* out) {
  const std::int64_t group = group_index(lanes);
  const std::int64_t row = divide(group, columns);
  const std::int64_t column = group - row * columns;
  const bool active = row < view.rows;
  const std::int64_t begin = active ? __ldg(view.ptr + row) : 0;
  const std::int64_t end = active ? __ldg(view.ptr + row + 1) : 0;
  const auto number = [&](std::int64_t entry) { return incidence_of(view, entry) * columns + column; };
  T largest = begin < end ? __ldg(in + number(begin)) : T(0);
  for (std::int64_t i = begin + lane_index(lanes); i < end; i += lanes) {
    const T value = __ldg(in + number(i));
    largest = value > largest ? value : largest;
  }
  largest = group_max(largest, lanes);
  T total = 0;
  for (std::int64_t i = begin + lane_index(lanes); i < end; i += lanes)
    total += exponential(__ldg(in + number(i)) - largest);
  total = group_sum(total, lanes);
  for (std::int64_t i = begin + lane_index(lanes); i < end; i += lanes) {
    const std::int64_t at = number(i);
    out[at] = exponential(__ldg(in + at) - largest) / total;
  }
}

/// dv_i = y_i (g_i - sum_j y_j g_j).
template <typename T>
__global__ void __launch_bounds__(kThreads)
    softmax_gradient(const DeviceView view, std::int64_t columns, int lanes, const T* y, const T* g, T* out) {
  const std::int64_t group = group_index(lanes);
  const std::int64_t row = divide(group, columns);
  const std::int64_t column = group - row * columns;
  const bool active = row < view.rows;
  const std::int64_t begin = active ? __ldg(view.ptr + row) : 0;
  const std::int64_t end = active ? __ldg(view.ptr + row + 1) : 0;
  const auto number = [&](std::int64_t entry) { return incidence_of(view, entry) * columns + column; };
  T mean = 0;
  for (std::int64_t i = begin + lane_index(lanes); i < end; i += lanes) {
    const std::int64_t at = number(i);
    mean += __ldg(y + at) * __ldg(g + at);
  }
  mean = group_sum(mean, lanes);
  for (std::int64_t i = begin + lane_index(lanes); i < end; i += lanes) {
    const std::int64_t at = number(i);
    out[at] = __ldg(y + at) * (__ldg(g + at) - mean);
  }
}

}  // namespace

template <typename T>
void launch_max(const MaxArgs<T>& args, cudaStream_t stream) {
  if (args.view.rows == 0 || args.columns == 0) return;
  const std::int64_t cut = cut_length(args.view.entries);
  if (args.view.piece_count > 0) {
    max_pieces<<<grid_for(args.view.piece_count * args.columns, 1), kThreads, 0, stream>>>(args, cut);
    launched("max_pieces");
  }
  max_rows<<<grid_for(args.view.rows * args.columns, 1), kThreads, 0, stream>>>(args, cut);
  launched("max_rows");
}

template <typename T>
void launch_expand(const DeviceView& view, std::int64_t columns, const T* nodes, const T* edges, T* out,
                   cudaStream_t stream) {
  launch_for_entries(view, columns, edges != nullptr, Expand<T>{view, columns, nodes, edges, out}, "expand",
                     stream);
}

template <typename T>
void launch_winners(const DeviceView& view, std::int64_t columns, const T* g, const std::int32_t* winner,
                    T* out, cudaStream_t stream) {
  launch_for_entries(view, columns, true, Winners<T>{view, columns, g, winner, out}, "winners", stream);
}

template <typename T>
void launch_softmax(const DeviceView& view, std::int64_t columns, const T* in, const T* g, T* out,
                    cudaStream_t stream) {
  if (view.rows == 0 || view.entries == 0 || columns == 0) return;
  const int lanes = group_lanes(pieces_of(view.entries, view.rows));
  const unsigned grid = grid_for(view.rows * columns, lanes);
  if (g == nullptr)
    softmax_rows<<<grid, kThreads, 0, stream>>>(view, columns, lanes, in, out);
  else
    softmax_gradient<<<grid, kThreads, 0, stream>>>(view, columns, lanes, in, g, out);
  launched("softmax");
}

#define DSHN_INSTANTIATE(T)                                                                              \
  template void launch_max<T>(const MaxArgs<T>&, cudaStream_t);                                          \
  template void launch_expand<T>(const DeviceView&, std::int64_t, const T*, const T*, T*, cudaStream_t); \
  template void launch_winners<T>(const DeviceView&, std::int64_t, const T*, const std::int32_t*, T*,    \
                                  cudaStream_t);                                                         \
  template void launch_softmax<T>(const DeviceView&, std::int64_t, const T*, const T*, T*, cudaStream_t);
DSHN_INSTANTIATE(float)
DSHN_INSTANTIATE(double)
#undef DSHN_INSTANTIATE

}  // namespace dshn::ops::cuda
