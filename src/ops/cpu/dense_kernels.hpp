#pragma once

#include <cstdint>

namespace dshn::ops::cpu {

/// One run of numbers with consecutive positions from `first`: kept and scaled, or dropped.
template <typename T>
struct MaskArgs {
  const T* in;
  T* out;
  std::int64_t count;
  std::uint32_t first;
  std::uint64_t key;
  std::uint32_t threshold;
  T scale;
};

/// Rows of `blocks` blocks of `length` numbers, and a blocks x blocks matrix that acts on the blocks.
template <typename T>
struct StalkArgs {
  std::int64_t blocks;
  std::int64_t length;
  const T* weight;
  const T* in;
  const T* g;  // for the gradient of the weight
  T* out;
};

/// The inner loops, compiled once per instruction set from one source.
template <typename T>
struct DenseKernels {
  void (*mask)(const MaskArgs<T>& args);
  /// out_r = weight in_r on rows [begin, end).
  void (*stalk)(const StalkArgs<T>& args, std::int64_t begin, std::int64_t end);
  /// sums[i, j] = sum over the rows [begin, end) of g_ri . in_rj.
  void (*stalk_gradient)(const StalkArgs<T>& args, std::int64_t begin, std::int64_t end, double* sums);
};

/// Those of the chosen instruction set (see sheaf_kernels.hpp).
template <typename T>
const DenseKernels<T>& dense_kernels();
template <>
const DenseKernels<float>& dense_kernels<float>();
template <>
const DenseKernels<double>& dense_kernels<double>();

}  // namespace dshn::ops::cpu
