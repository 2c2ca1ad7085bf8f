#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define DSHN_HASH_INLINE __host__ __device__ inline
#else
#define DSHN_HASH_INLINE inline
#endif

namespace dshn::ops {

/// 32 well-mixed bits of entry number `i` under a key, with 32-bit operations only so that compilers
/// vectorise it.
DSHN_HASH_INLINE std::uint32_t mask_bits(std::uint32_t key_low, std::uint32_t key_high, std::uint32_t i) {
  std::uint32_t z = i * 0x9e3779b9U + key_low;
  z = (z ^ (z >> 16)) * 0x7feb352dU;
  z = (z ^ (z >> 15) ^ key_high) * 0x846ca68bU;
  z = (z ^ (z >> 16)) * 0x9e3779b1U;
  return z ^ (z >> 15);
}

/// Entries whose bits lie below this are dropped.
DSHN_HASH_INLINE std::uint32_t drop_threshold(double p) {
  return static_cast<std::uint32_t>(p * 4294967296.0);
}

}  // namespace dshn::ops
