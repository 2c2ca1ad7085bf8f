#include "ops/cuda/device.cuh"
#include "ops/dropout_hash.hpp"

namespace dshn::ops::cuda {
namespace {

struct Mask {
  std::uint32_t low, high, threshold;
  std::int64_t planes, channels;

  /// Entries that differ only in their plane share a number. A plain array is numbered throughout.
  __device__ __forceinline__ bool keeps(std::int64_t i) const {
    std::int64_t number = i;
    if (planes > 1) {
      const std::int64_t run = divide(i, channels);
      number = divide(run, planes) * channels + (i - run * channels);
    }
    return mask_bits(low, high, static_cast<std::uint32_t>(number)) >= threshold;
  }
};

template <typename T>
__global__ void __launch_bounds__(kThreads)
    drop(const T* x, T* out, std::int64_t count, const Mask mask, T scale) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kThreads;
  for (std::int64_t i = group_index(1); i < count; i += stride)
    out[i] = mask.keeps(i) ? __ldg(x + i) * scale : T(0);
}

}  // namespace

template <typename T>
void launch_dropout(const T* x, T* out, std::int64_t count, double p, std::uint64_t key, std::int64_t planes,
                    std::int64_t channels, cudaStream_t stream) {
  if (count == 0) return;
  constexpr std::int64_t kEach = 4;
  const Mask mask{static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32), drop_threshold(p),
                  planes, channels};
  drop<<<grid_for(pieces_of(count, kEach), 1), kThreads, 0, stream>>>(x, out, count, mask,
                                                                      static_cast<T>(1 / (1 - p)));
  launched("dropout");
}

template void launch_dropout<float>(const float*, float*, std::int64_t, double, std::uint64_t, std::int64_t,
                                    std::int64_t, cudaStream_t);
template void launch_dropout<double>(const double*, double*, std::int64_t, double, std::uint64_t,
                                     std::int64_t, std::int64_t, cudaStream_t);

}  // namespace dshn::ops::cuda
