// What ends a layer: residual, complex ReLU and dropout in one pass, and its gradient.
#include <type_traits>

#include "ops/cuda/mask.cuh"

namespace dshn::ops::cuda {
namespace {

/// Where the pack number `at` of the real planes begins, and the number of its first entry.
struct RunPlace {
  std::int64_t first, number;

  template <int V>
  static __device__ __forceinline__ RunPlace of(std::int64_t at, std::int64_t planes, std::int64_t channels) {
    const std::int64_t number = at * V;
    const std::int64_t run = divide(number, channels);
    return {number + run * (planes - 1) * channels, number};
  }
};

template <typename T, int V>
__global__ void __launch_bounds__(kThreads) rectified(const RectifyArgs<T> args, std::int64_t packs) {
  const std::int64_t at = group_index(1);
  if (at >= packs) return;
  const Mask mask(args.mask);
  const auto scale = static_cast<T>(args.mask.scale);
  const RunPlace place = RunPlace::of<V>(at, args.planes, args.channels);
  bool kept[V];
  for (std::int64_t plane = 0; plane < args.planes; ++plane) {
    const std::int64_t from = place.first + plane * args.channels;
    Pack<T, V> pack = load<T, V>(args.in + from);
    if (args.other != nullptr) {
      const Pack<T, V> skip = load<T, V>(args.other + from);
#pragma unroll
      for (int v = 0; v < V; ++v) pack.at[v] += skip.at[v];
    }
    if (plane == 0) {
#pragma unroll
      for (int v = 0; v < V; ++v) kept[v] = passes(pack.at[v]) && mask.keeps(place.number + v);
    }
#pragma unroll
    for (int v = 0; v < V; ++v) pack.at[v] = kept[v] ? pack.at[v] * scale : T(0);
    store(args.out + from, pack);
  }
}

template <typename T, int V>
__global__ void __launch_bounds__(kThreads)
    rectified_gradient(const RectifyArgs<T> args, std::int64_t packs) {
  const std::int64_t at = group_index(1);
  if (at >= packs) return;
  const auto scale = static_cast<T>(args.mask.scale);
  const RunPlace place = RunPlace::of<V>(at, args.planes, args.channels);
  const Pack<T, V> re = load<T, V>(args.other + place.first);
  for (std::int64_t plane = 0; plane < args.planes; ++plane) {
    const std::int64_t from = place.first + plane * args.channels;
    Pack<T, V> pack = load<T, V>(args.in + from);
#pragma unroll
    for (int v = 0; v < V; ++v) pack.at[v] = passes(re.at[v]) ? pack.at[v] * scale : T(0);
    store(args.out + from, pack);
  }
}

/// body(pack size, number of packs).
template <typename T, typename Body>
void over_packs(const RectifyArgs<T>& args, const Body& body) {
  const std::int64_t numbers = args.numbers / args.planes;
  if (numbers == 0) return;
  constexpr int kPack = sizeof(T) == 4 ? 4 : 1;
  const bool packed = args.channels % kPack == 0 && aligned(args.in) && aligned(args.out) &&
                      (args.other == nullptr || aligned(args.other));
  if (packed)
    body(std::integral_constant<int, kPack>(), numbers / kPack);
  else
    body(std::integral_constant<int, 1>(), numbers);
  launched("rectify");
}

}  // namespace

template <typename T>
void launch_rectify(const RectifyArgs<T>& args, cudaStream_t stream) {
  over_packs(args, [&](auto pack, std::int64_t packs) {
    rectified<T, decltype(pack)::value><<<grid_for(packs, 1), kThreads, 0, stream>>>(args, packs);
  });
}

template <typename T>
void launch_rectify_gradient(const RectifyArgs<T>& args, cudaStream_t stream) {
  over_packs(args, [&](auto pack, std::int64_t packs) {
    rectified_gradient<T, decltype(pack)::value><<<grid_for(packs, 1), kThreads, 0, stream>>>(args, packs);
  });
}

template void launch_rectify<float>(const RectifyArgs<float>&, cudaStream_t);
template void launch_rectify<double>(const RectifyArgs<double>&, cudaStream_t);
template void launch_rectify_gradient<float>(const RectifyArgs<float>&, cudaStream_t);
template void launch_rectify_gradient<double>(const RectifyArgs<double>&, cudaStream_t);

}  // namespace dshn::ops::cuda
