// Sums of rows over the entries of a view, with maps that scale or with maps of any size.
#include "ops/cuda/sum_rows.cuh"

namespace dshn::ops::cuda {
namespace {

/// One block per lane: unit = block * packs + pack.
template <typename T, int V>
struct UnitPlace {
  std::int64_t offset;
  std::int64_t stride = 0;
  int block;

  template <typename Args>
  __device__ __forceinline__ UnitPlace(const Args& args, int unit) {
    const int packs = static_cast<int>(args.channels) / V;
    block = unit / packs;
    offset = block * args.planes * args.channels + static_cast<std::int64_t>(unit - block * packs) * V;
  }
};

/// No maps, or maps that scale: an entry adds factor * row. With winners, only what the row itself won.
template <typename T, int V, int P, bool kWinners>
struct Scaling {
  using Number = T;
  using Place = UnitPlace<T, V>;
  static constexpr int kBlocks = 1;
  static constexpr int kPlanes = P;
  static constexpr int kPack = V;
  static constexpr int kTogether = 4;

  __host__ __device__ static std::int64_t units(const SumArgs<T>& args) {
    return args.blocks * (args.channels / V);
  }

  template <int U>
  __device__ __forceinline__ static void add(const SumArgs<T>& args, const Place& place, std::int64_t self,
                                             std::int64_t entry, Accumulator<Scaling>& sum) {
    const std::int64_t map_at = args.map_blocks == 1 ? 0 : place.block;
    std::int64_t at[U];
    T factor[U];
#pragma unroll
    for (int u = 0; u < U; ++u) {
      const bool needs_incidence = args.maps != nullptr || args.by_incidence;
      const std::int64_t incidence = needs_incidence ? incidence_of(args.view, entry + u) : 0;
      at[u] = source_row(args, entry + u, incidence) * args.row() + place.offset;
      factor[u] = args.maps == nullptr ? T(1) : __ldg(args.maps + incidence * args.map_blocks + map_at);
    }
    Pack<T, V> x[U][P];
#pragma unroll
    for (int u = 0; u < U; ++u) {
#pragma unroll
      for (int p = 0; p < P; ++p) x[u][p] = load<T, V>(args.in + at[u] + p * args.channels);
    }
    if constexpr (kWinners) {
#pragma unroll
      for (int u = 0; u < U; ++u) {
#pragma unroll
        for (int v = 0; v < V; ++v) {
          if (__ldg(args.winner + at[u] + v) != self) x[u][0].at[v] = T(0);
        }
      }
    }
#pragma unroll
    for (int u = 0; u < U; ++u) {
#pragma unroll
      for (int p = 0; p < P; ++p) {
#pragma unroll
        for (int v = 0; v < V; ++v) sum.at[0][p].at[v] += factor[u] * x[u][p].at[v];
      }
    }
  }
};

/// General maps of any size: a lane gathers all blocks of the row for its own one.
template <typename T, int P>
struct GeneralAny {
  using Number = T;
  using Place = UnitPlace<T, 1>;
  static constexpr int kBlocks = 1;
  static constexpr int kPlanes = P;
  static constexpr int kPack = 1;
  static constexpr int kTogether = 1;

  __host__ __device__ static std::int64_t units(const SumArgs<T>& args) {
    return args.blocks * args.channels;
  }

  template <int U>
  __device__ __forceinline__ static void add(const SumArgs<T>& args, const Place& place, std::int64_t,
                                             std::int64_t entry, Accumulator<GeneralAny>& sum) {
    const std::int64_t d = args.blocks;
    const std::int64_t incidence = incidence_of(args.view, entry);
    const T* map = args.maps + incidence * d * d + (args.transpose ? place.block : place.block * d);
    const std::int64_t next = args.transpose ? d : 1;
    const std::int64_t length = P * args.channels;
    const T* from =
        args.in + source_row(args, entry, incidence) * args.row() + place.offset - place.block * length;
#pragma unroll 4
    for (std::int64_t b = 0; b < d; ++b) {
      const T factor = __ldg(map + b * next);
#pragma unroll
      for (int p = 0; p < P; ++p) sum.at[0][p].at[0] += factor * __ldg(from + b * length + p * args.channels);
    }
  }
};

/// body(policy) for the kernel that serves these arguments.
template <typename T, int P, typename Body>
void with_policy(const SumArgs<T>& args, const Body& body) {
  const bool packs = packs_fit(args);
  if (args.general) {
    body(GeneralAny<T, P>());
    return;
  }
  if constexpr (P == 1) {
    if (args.winner != nullptr) {
      body(Scaling<T, 1, 1, true>());
      return;
    }
  }
  if constexpr (sizeof(T) == 4) {
    if (packs) {
      body(Scaling<T, 4, P, false>());
      return;
    }
  }
  body(Scaling<T, 1, P, false>());
}

template <typename T, typename Body>
void with_planes(const SumArgs<T>& args, const Body& body) {
  if (args.planes == 2)
    with_policy<T, 2>(args, body);
  else
    with_policy<T, 1>(args, body);
}

template <typename T>
__global__ void phase_of(const T* q, double* phase) {
  sincospi(-2 * static_cast<double>(*q), phase + 1, phase);
}

}  // namespace

template <typename T>
void launch_phase(const T* q, double* phase, cudaStream_t stream) {
  phase_of<<<1, 1, 0, stream>>>(q, phase);
  launched("phase_of");
}

template <typename T>
SumPlan plan_sum(const SumArgs<T>& args) {
  SumPlan plan{0, 0};
  if constexpr (sizeof(T) == 4) {
    if (plan_general(args, plan)) return plan;
  }
  with_planes(args, [&](auto policy) { plan = plan_with<decltype(policy)>(args); });
  return plan;
}

template <typename T>
void launch_sum(const SumArgs<T>& args, cudaStream_t stream) {
  if (args.view.rows == 0 || args.row() == 0) return;
  if constexpr (sizeof(T) == 4) {
    SumPlan plan{0, 0};
    if (plan_general(args, plan)) {
      launch_general(args, stream);
      return;
    }
  }
  with_planes(args, [&](auto policy) { launch_with<decltype(policy)>(args, stream); });
}

template void launch_phase<float>(const float*, double*, cudaStream_t);
template void launch_phase<double>(const double*, double*, cudaStream_t);
template SumPlan plan_sum<float>(const SumArgs<float>&);
template SumPlan plan_sum<double>(const SumArgs<double>&);
template void launch_sum<float>(const SumArgs<float>&, cudaStream_t);
template void launch_sum<double>(const SumArgs<double>&, cudaStream_t);

}  // namespace dshn::ops::cuda
