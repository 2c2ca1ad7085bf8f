#pragma once

// Loops over contiguous numbers, for files that are compiled once per instruction set.
#include <algorithm>
#include <cstdint>

#include "ops/cpu/prefetch.hpp"

namespace dshn::ops::cpu::DSHN_ISA {

constexpr std::int64_t kCacheLine = 64;

/// How many rows ahead of their use to ask for: enough bytes on the way to hide the memory's latency.
template <typename T>
inline std::int64_t rows_ahead(std::int64_t size) {
  constexpr std::int64_t kBytesOnTheWay = 8192;
  const std::int64_t bytes = std::max<std::int64_t>(size * static_cast<std::int64_t>(sizeof(T)), 1);
  return std::clamp<std::int64_t>(kBytesOnTheWay / bytes, 2, 32);
}

/// Asks for a row that will be read soon, into the second-level cache: it can wait for more lines at once
/// than the first.
template <typename T>
inline void prefetch_row(const T* row, std::int64_t size) {
  // From the beginning of its first line: a row that begins inside of one reaches into one line more.
  const auto address = reinterpret_cast<std::uintptr_t>(row);
  const auto* line = reinterpret_cast<const char*>(row) - address % kCacheLine;
  const auto* end = reinterpret_cast<const char*>(row + size);
  for (; line < end; line += kCacheLine) prefetch_line(line);
}

/// A cache line of numbers, in as many registers as the instruction set needs for it. Sums over a row keep
/// one partial sum per lane, whatever the set, and add the lanes in pairs: compilers would add them one by
/// one.
template <typename T>
struct CacheLineOf {
  typedef T Line __attribute__((vector_size(64)));
  typedef T Half __attribute__((vector_size(32)));
  typedef T Quarter __attribute__((vector_size(16)));
  static constexpr std::int64_t kCount = 64 / sizeof(T);

  static Line load(const T* from) {
    Line line;
    __builtin_memcpy(&line, from, sizeof(line));
    return line;
  }
};

inline float lane_sum(CacheLineOf<float>::Line v) {
  const CacheLineOf<float>::Half half = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
                                        __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
  const CacheLineOf<float>::Quarter quarter =
      __builtin_shufflevector(half, half, 0, 1, 2, 3) + __builtin_shufflevector(half, half, 4, 5, 6, 7);
  return (quarter[0] + quarter[2]) + (quarter[1] + quarter[3]);
}

inline double lane_sum(CacheLineOf<double>::Line v) {
  const CacheLineOf<double>::Half half =
      __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
  const CacheLineOf<double>::Quarter quarter =
      __builtin_shufflevector(half, half, 0, 1) + __builtin_shufflevector(half, half, 2, 3);
  return quarter[0] + quarter[1];
}

template <typename T>
inline T dot(const T* a, const T* b, std::int64_t size) {
  using L = CacheLineOf<T>;
  typename L::Line lanes{};
  std::int64_t c = 0;
  for (; c + L::kCount <= size; c += L::kCount) lanes += L::load(a + c) * L::load(b + c);
  T sum = lane_sum(lanes);
  for (; c < size; ++c) sum += a[c] * b[c];
  return sum;
}

/// a . b summed in float64: for numbers that are summed on over all rows and may cancel there.
template <typename T>
inline double exact_dot(const T* a, const T* b, std::int64_t size) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t c = 0; c < size; ++c) sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
  return sum;
}

/// a . b + c . d
template <typename T>
inline T dot(const T* a, const T* b, const T* c, const T* d, std::int64_t size) {
  using L = CacheLineOf<T>;
  typename L::Line lanes{};
  std::int64_t i = 0;
  for (; i + L::kCount <= size; i += L::kCount)
    lanes += L::load(a + i) * L::load(b + i) + L::load(c + i) * L::load(d + i);
  T sum = lane_sum(lanes);
  for (; i < size; ++i) sum += a[i] * b[i] + c[i] * d[i];
  return sum;
}

template <typename T>
inline void scale(T* __restrict row, std::int64_t size, T factor) {
#pragma omp simd
  for (std::int64_t c = 0; c < size; ++c) row[c] *= factor;
}

}  // namespace dshn::ops::cpu::DSHN_ISA
