#pragma once

#include <cstdint>

#include "ops/host_device.hpp"

namespace dshn::ops {

/// A well-mixed 64-bit function (the finaliser of SplitMix64).
DSHN_HOST_DEVICE inline std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// The key of mask number `call` of a step.
DSHN_HOST_DEVICE inline std::uint64_t mask_key(std::int64_t step_key, std::int64_t call) {
  return mix(static_cast<std::uint64_t>(step_key) + static_cast<std::uint64_t>(call) * 0x9e3779b97f4a7c15ULL);
}

/// 32 well-mixed bits of entry number `i` under a key, with 32-bit operations only so that compilers
/// vectorise it.
DSHN_HOST_DEVICE inline std::uint32_t mask_bits(std::uint32_t key_low, std::uint32_t key_high,
                                                std::uint32_t i) {
  std::uint32_t z = i * 0x9e3779b9U + key_low;
  z = (z ^ (z >> 16)) * 0x7feb352dU;
  z = (z ^ (z >> 15) ^ key_high) * 0x846ca68bU;
  z = (z ^ (z >> 16)) * 0x9e3779b1U;
  return z ^ (z >> 15);
}

/// Entries whose bits lie below this are dropped.
DSHN_HOST_DEVICE inline std::uint32_t drop_threshold(double p) {
  return static_cast<std::uint32_t>(p * 4294967296.0);
}

}  // namespace dshn::ops
