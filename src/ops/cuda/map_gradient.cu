// Gradients of maps: inner products of two pairs of rows per incidence. No sums over entries, so entries are
// dealt out in equal pieces, whatever the rows they belong to.
#include "ops/cuda/device.cuh"

namespace dshn::ops::cuda {
namespace {

/// Where a piece of consecutive entries is: moves on through the rows of the view.
struct Cursor {
  std::int64_t row;
  std::int64_t end;  // of the row

  __device__ __forceinline__ Cursor(const DeviceView& view, std::int64_t entry)
      : row(row_of_entry(view, entry)), end(__ldg(view.ptr + row + 1)) {}
  __device__ __forceinline__ void move_to(const DeviceView& view, std::int64_t entry) {
    while (entry >= end) end = __ldg(view.ptr + ++row + 1);
  }
};

/// A pack of both planes.
template <typename T, int V, int P>
struct Planes {
  Pack<T, V> at[P];

  __device__ __forceinline__ void read(const T* from, std::int64_t channels) {
#pragma unroll
    for (int p = 0; p < P; ++p) at[p] = load<T, V>(from + p * channels);
  }
  __device__ __forceinline__ T dot(const Planes& other) const {
    T sum = 0;
#pragma unroll
    for (int p = 0; p < P; ++p) {
#pragma unroll
      for (int v = 0; v < V; ++v) sum += at[p].at[v] * other.at[p].at[v];
    }
    return sum;
  }
  /// Times re - i im: Re <h, s g> = Re <conj(s) h, g>, so the hyperedge's rows turn, once, and not the
  /// members'.
  __device__ __forceinline__ void turn_back(T re, T im) {
    if constexpr (P == 2) {
#pragma unroll
      for (int v = 0; v < V; ++v) {
        const T x = at[0].at[v];
        const T y = at[1].at[v];
        at[0].at[v] = re * x + im * y;
        at[1].at[v] = re * y - im * x;
      }
    }
  }
};

template <typename T>
struct PhaseNumbers {
  T re, im;

  __device__ __forceinline__ explicit PhaseNumbers(const DevicePhase& phase)
      : re(T(phase.on_device == nullptr ? phase.re : __ldg(phase.on_device))),
        im(T(phase.on_device == nullptr ? phase.im : __ldg(phase.on_device + 1))) {}
};

constexpr int kTogether = 4;

/// One number of the maps per group: block a of the hyperedge's rows with block b of the node's. `packs` is
/// the number of packs in what is multiplied: a block, or the whole row where one number scales it all.
template <typename T, int V, int P>
__global__ void __launch_bounds__(kThreads)
    gradient_numbers(const MapGradientArgs<T> args, int lanes, int numbers, int packs, int batches) {
  const std::int64_t group = group_index(lanes);
  const std::int64_t piece = divide(group, numbers);
  const auto number = static_cast<int>(group - piece * numbers);
  const std::int64_t length = P * args.channels;
  const auto d = static_cast<int>(args.blocks);
  const std::int64_t block_a = (args.general ? number / d : number) * length;
  const std::int64_t block_b = (args.general ? number % d : number) * length;
  const int in_block = static_cast<int>(args.channels) / V;
  const std::int64_t row_size = args.blocks * length;
  const PhaseNumbers<T> phase(args.phase);
  const std::int64_t begin = piece * kTogether * batches;
  const bool there = begin < args.view.entries;
  Cursor cursor(args.view, there ? begin : 0);
  // Every lane runs the same number of rounds, because group_sum needs the whole warp.
  for (int batch = 0; batch < batches; ++batch) {
    const std::int64_t first = begin + batch * kTogether;
    T sums[kTogether] = {};
    for (int pack = lane_index(lanes); pack < packs; pack += lanes) {
      const int block = pack / in_block;  // 0 unless one number scales all blocks
      const std::int64_t offset = block * length + static_cast<std::int64_t>(pack - block * in_block) * V;
      Planes<T, V, P> g[kTogether];
      Planes<T, V, P> x[kTogether];
#pragma unroll
      for (int u = 0; u < kTogether; ++u) {
        if (first + u >= args.view.entries) continue;
        const std::int64_t at = __ldg(args.view.index + first + u) * row_size + block_b + offset;
        g[u].read(args.g + at, args.channels);
        if (args.x != nullptr) x[u].read(args.x + at, args.channels);
      }
      Cursor here = cursor;
#pragma unroll
      for (int u = 0; u < kTogether; ++u) {
        if (first + u >= args.view.entries) continue;
        here.move_to(args.view, first + u);
        const std::int64_t at = here.row * row_size + block_a + offset;
        const bool turn = args.phase.rotate && first + u < __ldg(args.view.split + here.row);
        Planes<T, V, P> own;
        own.read(args.h + at, args.channels);
        if (turn) own.turn_back(phase.re, phase.im);
        sums[u] += own.dot(g[u]);
        if (args.x == nullptr) continue;
        own.read(args.k + at, args.channels);
        if (turn) own.turn_back(phase.re, phase.im);
        sums[u] += own.dot(x[u]);
      }
    }
#pragma unroll
    for (int u = 0; u < kTogether; ++u) {
      const T sum = group_sum(sums[u], lanes);
      if (lane_index(lanes) == 0 && first + u < args.view.entries)
        args.g_maps[incidence_of(args.view, first + u) * numbers + number] = sum;
    }
    if (first + kTogether < args.view.entries) cursor.move_to(args.view, first + kTogether);
  }
}

/// General maps of D x D numbers: a group keeps the hyperedge's rows in registers and makes all numbers of a
/// map.
template <int D, int P>
__global__ void __launch_bounds__(kThreads)
    gradient_matrices(const MapGradientArgs<float> args, int lanes, int packs, int entries_each) {
  const std::int64_t length = P * args.channels;
  const std::int64_t row_size = D * length;
  const PhaseNumbers<float> phase(args.phase);
  const std::int64_t begin = group_index(lanes) * entries_each;
  Cursor cursor(args.view, begin < args.view.entries ? begin : 0);
  Planes<float, 4, P> h[D];
  Planes<float, 4, P> k[D];
  std::int64_t kept_row = -1;
  bool kept_turn = false;
  for (int e = 0; e < entries_each; ++e) {
    const std::int64_t entry = begin + e;
    const bool there = entry < args.view.entries;
    float sums[D * D] = {};
    if (there) {
      cursor.move_to(args.view, entry);
      const bool turn = args.phase.rotate && entry < __ldg(args.view.split + cursor.row);
      const bool fresh = cursor.row != kept_row || turn != kept_turn || packs > lanes;
      kept_row = cursor.row;
      kept_turn = turn;
      const std::int64_t node = __ldg(args.view.index + entry) * row_size;
      for (int pack = lane_index(lanes); pack < packs; pack += lanes) {
        const std::int64_t offset = std::int64_t{4} * pack;
        if (fresh) {
#pragma unroll
          for (int a = 0; a < D; ++a) {
            const std::int64_t at = cursor.row * row_size + a * length + offset;
            h[a].read(args.h + at, args.channels);
            k[a].read(args.k + at, args.channels);
            if (turn) {
              h[a].turn_back(phase.re, phase.im);
              k[a].turn_back(phase.re, phase.im);
            }
          }
        }
#pragma unroll
        for (int b = 0; b < D; ++b) {
          Planes<float, 4, P> g;
          Planes<float, 4, P> x;
          g.read(args.g + node + b * length + offset, args.channels);
          x.read(args.x + node + b * length + offset, args.channels);
#pragma unroll
          for (int a = 0; a < D; ++a) sums[a * D + b] += h[a].dot(g) + k[a].dot(x);
        }
      }
    }
#pragma unroll
    for (int i = 0; i < D * D; ++i) {
      const float sum = group_sum(sums[i], lanes);
      if (there && lane_index(lanes) == (i & (lanes - 1)))
        args.g_maps[incidence_of(args.view, entry) * (D * D) + i] = sum;
    }
  }
}

template <typename T>
bool all_aligned(const MapGradientArgs<T>& args) {
  return aligned(args.h) && aligned(args.g) && aligned(args.k) && aligned(args.x);
}

/// Entries that one group takes: few where there is little work, so that all multiprocessors have some.
int batches_for(std::int64_t entries) {
  return entries <= (std::int64_t{1} << 20) ? 1 : 4;
}

template <typename T, int V, int P>
void launch_numbers(const MapGradientArgs<T>& args, cudaStream_t stream) {
  const std::int64_t in_block = args.channels / V;
  const bool one_number = !args.general && args.map_blocks == 1;
  const std::int64_t numbers = args.general ? args.blocks * args.blocks : args.map_blocks;
  const std::int64_t packs = one_number ? args.blocks * in_block : in_block;
  const int lanes = group_lanes(packs);
  const int batches = batches_for(args.view.entries);
  const std::int64_t pieces = pieces_of(args.view.entries, kTogether * batches);
  gradient_numbers<T, V, P><<<grid_for(pieces * numbers, lanes), kThreads, 0, stream>>>(
      args, lanes, static_cast<int>(numbers), static_cast<int>(packs), batches);
  launched("gradient_numbers");
}

template <int D>
void launch_matrices(const MapGradientArgs<float>& args, cudaStream_t stream) {
  const std::int64_t packs = args.channels / 4;
  const int lanes = group_lanes(packs);
  const int entries_each = kTogether * batches_for(args.view.entries);
  const unsigned grid = grid_for(pieces_of(args.view.entries, entries_each), lanes);
  if (args.planes == 2)
    gradient_matrices<D, 2>
        <<<grid, kThreads, 0, stream>>>(args, lanes, static_cast<int>(packs), entries_each);
  else
    gradient_matrices<D, 1>
        <<<grid, kThreads, 0, stream>>>(args, lanes, static_cast<int>(packs), entries_each);
  launched("gradient_matrices");
}

bool launch_packed_matrices(const MapGradientArgs<float>& args, cudaStream_t stream) {
  if (!args.general || args.x == nullptr || args.channels % 4 != 0 || !all_aligned(args)) return false;
  switch (args.blocks) {
    case 2:
      launch_matrices<2>(args, stream);
      return true;
    case 3:
      launch_matrices<3>(args, stream);
      return true;
    case 4:
      launch_matrices<4>(args, stream);
      return true;
    case 5:
      launch_matrices<5>(args, stream);
      return true;
    case 6:
      launch_matrices<6>(args, stream);
      return true;
    default:
      return false;
  }
}

}  // namespace

template <typename T>
void launch_map_gradient(const MapGradientArgs<T>& args, cudaStream_t stream) {
  if (args.view.entries == 0) return;
  if constexpr (sizeof(T) == 4) {
    if (launch_packed_matrices(args, stream)) return;
    if (args.channels % 4 == 0 && all_aligned(args)) {
      args.planes == 2 ? launch_numbers<T, 4, 2>(args, stream) : launch_numbers<T, 4, 1>(args, stream);
      return;
    }
  }
  args.planes == 2 ? launch_numbers<T, 1, 2>(args, stream) : launch_numbers<T, 1, 1>(args, stream);
}

template void launch_map_gradient<float>(const MapGradientArgs<float>&, cudaStream_t);
template void launch_map_gradient<double>(const MapGradientArgs<double>&, cudaStream_t);

}  // namespace dshn::ops::cuda
