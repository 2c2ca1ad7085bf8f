#pragma once

#include <cstdint>

namespace dshn {

/// A bijection of 64-bit words in which every input bit flips about half of the output bits (the SplitMix64
/// finaliser). It keeps neighbouring seeds and streams apart.
inline std::uint64_t mix(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15U;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31);
}

}  // namespace dshn
