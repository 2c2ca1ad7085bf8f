#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>

#include "dshn/base/error.hpp"
#include "ops/cuda/kernels.hpp"

/// What all kernels share: packs of numbers, groups of lanes, where entries are, how long rows are cut.
namespace dshn::ops::cuda {

constexpr int kThreads = 128;
constexpr unsigned kWholeWarp = 0xffffffffU;

/// V numbers that move together: 16 bytes where V says so.
template <typename T, int V>
struct Pack {
  T at[V];
};

template <typename T, int V>
__device__ __forceinline__ Pack<T, V> load(const T* from) {
  Pack<T, V> pack;
  if constexpr (V == 4) {
    const float4 four = __ldg(reinterpret_cast<const float4*>(from));
    pack.at[0] = four.x;
    pack.at[1] = four.y;
    pack.at[2] = four.z;
    pack.at[3] = four.w;
  } else {
    static_assert(V == 1);
    pack.at[0] = __ldg(from);
  }
  return pack;
}

template <typename T, int V>
__device__ __forceinline__ void store(T* to, const Pack<T, V>& pack) {
  if constexpr (V == 4) {
    *reinterpret_cast<float4*>(to) = make_float4(pack.at[0], pack.at[1], pack.at[2], pack.at[3]);
  } else {
    static_assert(V == 1);
    *to = pack.at[0];
  }
}

inline bool aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

/// The least power of two that holds `count`, at most a warp: lanes of a group.
inline int group_lanes(std::int64_t count) {
  int lanes = 1;
  while (lanes < 32 && lanes < count) lanes *= 2;
  return lanes;
}

inline std::int64_t pieces_of(std::int64_t count, std::int64_t length) {
  return (count + length - 1) / length;
}

/// Blocks for `groups` groups of `lanes` lanes.
inline unsigned grid_for(std::int64_t groups, int lanes) {
  const std::int64_t blocks = pieces_of(groups, kThreads / lanes);
  if (blocks > 0x7fffffff) throw Failure("CUDA: the hypergraph needs more thread blocks than a grid has");
  return static_cast<unsigned>(blocks);
}

/// Which group of the grid this thread belongs to. `lanes` is a power of two.
__device__ __forceinline__ std::int64_t group_index(int lanes) {
  return static_cast<std::int64_t>(blockIdx.x) * (kThreads / lanes) + threadIdx.x / lanes;
}
__device__ __forceinline__ int lane_index(int lanes) {
  return static_cast<int>(threadIdx.x) & (lanes - 1);
}

/// a / b where both are not negative; most are small, and 64-bit division is slow.
__device__ __forceinline__ std::int64_t divide(std::int64_t a, std::int64_t b) {
  if (((a | b) >> 32) == 0) return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
  return a / b;
}

/// Sum over the lanes of each group, known to all of them. Every lane of the warp must come here.
template <typename N>
__device__ __forceinline__ N group_sum(N value, int lanes) {
  for (int step = lanes / 2; step > 0; step /= 2) value += __shfl_xor_sync(kWholeWarp, value, step);
  return value;
}

__device__ __forceinline__ std::int64_t incidence_of(const DeviceView& view, std::int64_t entry) {
  return view.position == nullptr ? entry : __ldg(view.position + entry);
}

/// The row that owns an entry.
__device__ __forceinline__ std::int64_t row_of_entry(const DeviceView& view, std::int64_t entry) {
  std::int64_t low = 0;
  std::int64_t high = view.rows;  // ptr[low] <= entry < ptr[high]
  while (high - low > 1) {
    const std::int64_t middle = (low + high) / 2;
    if (__ldg(view.ptr + middle) <= entry)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// The same, found by the lanes of a group together: each round looks at as many places as there are lanes,
/// and it is the wait for memory that a search costs. Every lane of the group must come here with the same
/// entry.
__device__ __forceinline__ std::int64_t row_of_entry(const DeviceView& view, std::int64_t entry, int lanes) {
  if (lanes == 1) return row_of_entry(view, entry);
  const unsigned first_lane = (threadIdx.x & 31U) & ~static_cast<unsigned>(lanes - 1);
  const unsigned group = (lanes == 32 ? kWholeWarp : (1U << lanes) - 1U) << first_lane;
  std::int64_t low = 0;
  std::int64_t high = view.rows;  // ptr[low] <= entry < ptr[high]
  while (high - low > 1) {
    const std::int64_t step = (high - low + lanes) / (lanes + 1);
    const std::int64_t at = low + (lane_index(lanes) + 1) * step;
    const bool before = at < high && __ldg(view.ptr + at) <= entry;
    const int steps = __popc(__ballot_sync(group, before));
    const std::int64_t next = low + (steps + 1) * step;
    low += steps * step;
    high = next < high ? next : high;
  }
  return low;
}

struct Range {
  std::int64_t row, begin, end;
};

/// The tail or head range that owns an entry; found by the lanes of a group together.
__device__ __forceinline__ Range range_of_entry(const DeviceView& view, std::int64_t entry, int lanes) {
  const std::int64_t row = row_of_entry(view, entry, lanes);
  const std::int64_t middle = __ldg(view.split + row);
  if (entry < middle) return {row, __ldg(view.ptr + row), middle};
  return {row, middle, __ldg(view.ptr + row + 1)};
}

/// The entries of a piece of a long range (see for_pieces).
__device__ __forceinline__ Range piece_range(const DeviceView& view, std::int64_t cut, std::int64_t piece,
                                             int lanes) {
  const std::int64_t first = piece / 2 * cut;
  const std::int64_t last = (first + cut < view.entries ? first + cut : view.entries) - 1;
  if ((piece & 1) != 0) {
    const Range range = range_of_entry(view, last, lanes);
    return {range.row, range.begin, last + 1};
  }
  const Range range = range_of_entry(view, first, lanes);
  return {range.row, first, range.end < last + 1 ? range.end : last + 1};
}

/// Throws Failure when the launch just made was refused.
inline void launched(const char* kernel) {
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) throw Failure(std::string("CUDA, ") + kernel + ": " + cudaGetErrorString(error));
}

}  // namespace dshn::ops::cuda
