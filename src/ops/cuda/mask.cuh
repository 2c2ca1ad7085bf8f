#pragma once

#include "ops/cuda/device.cuh"
#include "ops/dropout_hash.hpp"

namespace dshn::ops::cuda {

/// The random mask of a DeviceMask, with its key read.
struct Mask {
  std::uint32_t low, high, threshold;

  __device__ __forceinline__ explicit Mask(const DeviceMask& mask) : threshold(mask.threshold) {
    if (mask.step_key == nullptr) {
      low = high = threshold = 0;
      return;
    }
    const std::uint64_t key = mask_key(__ldg(mask.step_key), mask.call);
    low = static_cast<std::uint32_t>(key);
    high = static_cast<std::uint32_t>(key >> 32);
  }
  __device__ __forceinline__ bool keeps(std::int64_t number) const {
    return mask_bits(low, high, static_cast<std::uint32_t>(number)) >= threshold;
  }
};

/// What the complex ReLU keeps: a real part above 0, or not a number, for what is wrong must stay visible.
template <typename T>
__device__ __forceinline__ bool passes(T re) {
  return !(re <= T(0));
}

}  // namespace dshn::ops::cuda
