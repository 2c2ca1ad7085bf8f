// Sums of rows with general maps of 2 to 6 blocks: a lane keeps four channels of all blocks and multiplies
// them by the map in registers.
#include "ops/cuda/sum_rows.cuh"

namespace dshn::ops::cuda {
namespace {

template <int D>
__device__ __forceinline__ void load_map(const float* from, float (&map)[D * D]) {
  if constexpr (D % 2 == 0) {  // whole packs of 16 bytes
#pragma unroll
    for (int i = 0; i < D * D; i += 4) {
      const Pack<float, 4> pack = load<float, 4>(from + i);
#pragma unroll
      for (int v = 0; v < 4; ++v) map[i + v] = pack.at[v];
    }
  } else {
#pragma unroll
    for (int i = 0; i < D * D; ++i) map[i] = __ldg(from + i);
  }
}

template <int D, int P>
struct General {
  struct Place {
    std::int64_t offset;
    std::int64_t stride;

    __device__ __forceinline__ Place(const SumArgs<float>& args, int unit)
        : offset(std::int64_t{4} * unit), stride(P * args.channels) {}
  };
  using Number = float;
  static constexpr int kBlocks = D;
  static constexpr int kPlanes = P;
  static constexpr int kPack = 4;
  static constexpr int kTogether = D * P <= 4 ? 2 : 1;

  __host__ __device__ static std::int64_t units(const SumArgs<float>& args) { return args.channels / 4; }

  template <int U>
  __device__ __forceinline__ static void add(const SumArgs<float>& args, const Place& place, std::int64_t,
                                             std::int64_t entry, Accumulator<General>& sum) {
    Accumulator<General> x[U];
    float map[U][D * D];
#pragma unroll
    for (int u = 0; u < U; ++u) {
      const std::int64_t incidence = incidence_of(args.view, entry + u);
      const float* from = args.in + source_row(args, entry + u, incidence) * args.row() + place.offset;
#pragma unroll
      for (int b = 0; b < D; ++b) {
#pragma unroll
        for (int p = 0; p < P; ++p)
          x[u].at[b][p] = load<float, 4>(from + b * place.stride + p * args.channels);
      }
      load_map<D>(args.maps + incidence * (D * D), map[u]);
    }
#pragma unroll
    for (int u = 0; u < U; ++u) {
#pragma unroll
      for (int a = 0; a < D; ++a) {
#pragma unroll
        for (int b = 0; b < D; ++b) {
          const float factor = args.transpose ? map[u][b * D + a] : map[u][a * D + b];
#pragma unroll
          for (int p = 0; p < P; ++p) {
#pragma unroll
            for (int v = 0; v < 4; ++v) sum.at[a][p].at[v] += factor * x[u].at[b][p].at[v];
          }
        }
      }
    }
  }
};

template <int D, typename Body>
void with_blocks(const SumArgs<float>& args, const Body& body) {
  if (args.planes == 2)
    body(General<D, 2>());
  else
    body(General<D, 1>());
}

template <typename Body>
void with_general(const SumArgs<float>& args, const Body& body) {
  switch (args.blocks) {
    case 2:
      return with_blocks<2>(args, body);
    case 3:
      return with_blocks<3>(args, body);
    case 4:
      return with_blocks<4>(args, body);
    case 5:
      return with_blocks<5>(args, body);
    default:
      return with_blocks<6>(args, body);
  }
}

}  // namespace

bool plan_general(const SumArgs<float>& args, SumPlan& plan) {
  if (!args.general || args.blocks < 2 || args.blocks > 6 || args.channels == 0 || !packs_fit(args))
    return false;
  with_general(args, [&](auto policy) { plan = plan_with<decltype(policy)>(args); });
  return true;
}

void launch_general(const SumArgs<float>& args, cudaStream_t stream) {
  with_general(args, [&](auto policy) { launch_with<decltype(policy)>(args, stream); });
}

}  // namespace dshn::ops::cuda
