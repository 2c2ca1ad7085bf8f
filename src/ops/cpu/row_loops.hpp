#pragma once

// Loops over contiguous numbers, for files that are compiled once per instruction set.
#include <algorithm>
#include <cstdint>

namespace dshn::ops::cpu::DSHN_ISA {

constexpr std::int64_t kCacheLine = 64;
constexpr std::int64_t kPrefetchBytes = 1024;

/// Asks for the beginning of a row that will be read soon; the hardware follows from there.
template <typename T>
inline void prefetch_row(const T* row, std::int64_t size) {
  const auto* bytes = reinterpret_cast<const char*>(row);
  const std::int64_t end =
      std::min<std::int64_t>(size * static_cast<std::int64_t>(sizeof(T)), kPrefetchBytes);
  for (std::int64_t at = 0; at < end; at += kCacheLine) __builtin_prefetch(bytes + at);
}

template <typename T>
inline T dot(const T* __restrict a, const T* __restrict b, std::int64_t size) {
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t c = 0; c < size; ++c) sum += a[c] * b[c];
  return sum;
}

template <typename T>
inline void scale(T* __restrict row, std::int64_t size, T factor) {
#pragma omp simd
  for (std::int64_t c = 0; c < size; ++c) row[c] *= factor;
}

}  // namespace dshn::ops::cpu::DSHN_ISA
