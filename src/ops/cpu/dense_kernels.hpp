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

/// Runs of `planes` planes of `channels` numbers; run r's mask numbers start at r * channels, or where `rows` says
/// which row of a larger array each one is, of `row_runs` runs, at that of the larger array.
template <typename T>
struct RectifyArgs {
  std::int64_t planes;
  std::int64_t channels;
  const T* in;     // y, or the gradient of the output
  const T* other;  // skip (null: none), or the output
  T* out;
  std::uint64_t key;
  std::uint32_t threshold;  // 0: nothing is dropped
  T scale;
  const std::int64_t* rows;
  std::int64_t row_runs;

  std::int64_t numbered_run(std::int64_t r) const {
    return rows == nullptr ? r : rows[r / row_runs] * row_runs + r % row_runs;
  }
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

/// Runs of `planes` planes of `channels` numbers.
template <typename T>
struct WhitenArgs {
  std::int64_t planes;
  std::int64_t channels;
  const T* in;
  const T* g;  // for the gradient
  T* out;
  double epsilon;
};

/// The inner loops, compiled once per instruction set from one source.
template <typename T>
struct DenseKernels {
  void (*mask)(const MaskArgs<T>& args);
  /// On runs [begin, end): see dshn/ops/rectify.hpp.
  void (*rectify)(const RectifyArgs<T>& args, std::int64_t begin, std::int64_t end);
  void (*rectify_gradient)(const RectifyArgs<T>& args, std::int64_t begin, std::int64_t end);
  /// out_r = weight in_r on rows [begin, end).
  void (*stalk)(const StalkArgs<T>& args, std::int64_t begin, std::int64_t end);
  /// sums[i, j] = sum over the rows [begin, end) of g_ri . in_rj.
  void (*stalk_gradient)(const StalkArgs<T>& args, std::int64_t begin, std::int64_t end, double* sums);
  /// On runs [begin, end): see dshn/ops/whiten.hpp.
  void (*whiten)(const WhitenArgs<T>& args, std::int64_t begin, std::int64_t end);
  void (*whiten_gradient)(const WhitenArgs<T>& args, std::int64_t begin, std::int64_t end);
};

/// Those of the chosen instruction set (see sheaf_kernels.hpp).
template <typename T>
const DenseKernels<T>& dense_kernels();
template <>
const DenseKernels<float>& dense_kernels<float>();
template <>
const DenseKernels<double>& dense_kernels<double>();

}  // namespace dshn::ops::cpu
