#include "ops/cuda/mask.cuh"

namespace dshn::ops::cuda {
namespace {

/// Entries that differ only in their plane share a number. A plain array is numbered throughout.
__device__ __forceinline__ std::int64_t number_of(std::int64_t i, std::int64_t planes,
                                                  std::int64_t channels) {
  if (planes == 1) return i;
  const std::int64_t run = divide(i, channels);
  return divide(run, planes) * channels + (i - run * channels);
}

template <typename T>
__global__ void __launch_bounds__(kThreads)
    drop(const T* x, T* out, std::int64_t count, const DeviceMask given, std::int64_t planes,
         std::int64_t channels, const std::int64_t* numbers, T scale) {
  const Mask mask(given);
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kThreads;
  for (std::int64_t i = group_index(1); i < count; i += stride) {
    const std::int64_t number = numbers == nullptr ? number_of(i, planes, channels) : __ldg(numbers + i);
    out[i] = mask.keeps(number) ? __ldg(x + i) * scale : T(0);
  }
}

}  // namespace

template <typename T>
void launch_dropout(const T* x, T* out, std::int64_t count, const DeviceMask& mask, std::int64_t planes,
                    std::int64_t channels, const std::int64_t* numbers, cudaStream_t stream) {
  if (count == 0) return;
  constexpr std::int64_t kEach = 4;
  drop<<<grid_for(pieces_of(count, kEach), 1), kThreads, 0, stream>>>(x, out, count, mask, planes, channels,
                                                                      numbers, static_cast<T>(mask.scale));
  launched("dropout");
}

template void launch_dropout<float>(const float*, float*, std::int64_t, const DeviceMask&, std::int64_t,
                                    std::int64_t, const std::int64_t*, cudaStream_t);
template void launch_dropout<double>(const double*, double*, std::int64_t, const DeviceMask&, std::int64_t,
                                     std::int64_t, const std::int64_t*, cudaStream_t);

}  // namespace dshn::ops::cuda
