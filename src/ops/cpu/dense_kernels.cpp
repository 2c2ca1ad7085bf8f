// Compiled once per instruction set, with DSHN_ISA naming it: see CMakeLists.txt.
#include "ops/cpu/dense_kernels.hpp"

#include "ops/cpu/row_loops.hpp"
#include "ops/cpu/whiten_loops.hpp"
#include "ops/dropout_hash.hpp"

namespace dshn::ops::cpu::DSHN_ISA {
namespace {

template <typename T>
void mask(const MaskArgs<T>& args) {
  const auto low = static_cast<std::uint32_t>(args.key);
  const auto high = static_cast<std::uint32_t>(args.key >> 32);
  const std::uint32_t first = args.first;
  const std::uint32_t threshold = args.threshold;
  const T scale = args.scale;
  const std::int64_t count = args.count;
  const T* __restrict in = args.in;
  T* __restrict out = args.out;
#pragma omp simd
  for (std::int64_t c = 0; c < count; ++c) {
    const std::uint32_t bits = mask_bits(low, high, first + static_cast<std::uint32_t>(c));
    const T scaled = in[c] * scale;
    out[c] = bits >= threshold ? scaled : T(0);
  }
}

/// Above 0, or not a number: what is wrong must stay visible.
template <typename T>
bool passes(T re) {
  return !(re <= T(0));
}

template <typename T>
void rectify(const RectifyArgs<T>& args, std::int64_t begin, std::int64_t end) {
  const auto low = static_cast<std::uint32_t>(args.key);
  const auto high = static_cast<std::uint32_t>(args.key >> 32);
  const std::uint32_t threshold = args.threshold;
  const T scale = args.scale;
  const std::int64_t f = args.channels;
  for (std::int64_t r = begin; r < end; ++r) {
    const auto first = static_cast<std::uint32_t>(args.numbered_run(r) * f);
    for (std::int64_t plane = 0; plane < args.planes; ++plane) {
      const T* __restrict re = args.in + r * args.planes * f;
      const T* __restrict in = re + plane * f;
      T* __restrict out = args.out + (r * args.planes + plane) * f;
      if (args.other == nullptr) {
#pragma omp simd
        for (std::int64_t c = 0; c < f; ++c) {
          const bool kept = mask_bits(low, high, first + static_cast<std::uint32_t>(c)) >= threshold;
          const T scaled = in[c] * scale;
          out[c] = kept && passes(re[c]) ? scaled : T(0);
        }
        continue;
      }
      const T* __restrict skip_re = args.other + r * args.planes * f;
      const T* __restrict skip = skip_re + plane * f;
#pragma omp simd
      for (std::int64_t c = 0; c < f; ++c) {
        const bool kept = mask_bits(low, high, first + static_cast<std::uint32_t>(c)) >= threshold;
        const T scaled = (in[c] + skip[c]) * scale;
        out[c] = kept && passes(re[c] + skip_re[c]) ? scaled : T(0);
      }
    }
  }
}

template <typename T>
void rectify_gradient(const RectifyArgs<T>& args, std::int64_t begin, std::int64_t end) {
  const T scale = args.scale;
  const std::int64_t f = args.channels;
  for (std::int64_t r = begin; r < end; ++r) {
    const T* __restrict re = args.other + r * args.planes * f;
    for (std::int64_t plane = 0; plane < args.planes; ++plane) {
      const T* __restrict g = args.in + (r * args.planes + plane) * f;
      T* __restrict out = args.out + (r * args.planes + plane) * f;
#pragma omp simd
      for (std::int64_t c = 0; c < f; ++c) {
        const T scaled = g[c] * scale;
        out[c] = passes(re[c]) ? scaled : T(0);
      }
    }
  }
}

template <typename T>
void stalk(const StalkArgs<T>& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t d = args.blocks;
  const std::int64_t length = args.length;
  for (std::int64_t r = begin; r < end; ++r) {
    const T* in = args.in + r * d * length;
    for (std::int64_t i = 0; i < d; ++i) {
      T* __restrict out = args.out + (r * d + i) * length;
      std::fill_n(out, length, T(0));
      for (std::int64_t j = 0; j < d; ++j) {
        const T factor = args.weight[i * d + j];
        const T* __restrict from = in + j * length;
#pragma omp simd
        for (std::int64_t c = 0; c < length; ++c) out[c] += factor * from[c];
      }
    }
  }
}

template <typename T>
void stalk_gradient(const StalkArgs<T>& args, std::int64_t begin, std::int64_t end, double* sums) {
  const std::int64_t d = args.blocks;
  const std::int64_t length = args.length;
  std::fill_n(sums, d * d, 0.0);
  for (std::int64_t r = begin; r < end; ++r) {
    for (std::int64_t i = 0; i < d; ++i) {
      for (std::int64_t j = 0; j < d; ++j) {
        sums[i * d + j] +=
            static_cast<double>(dot(args.g + (r * d + i) * length, args.in + (r * d + j) * length, length));
      }
    }
  }
}

}  // namespace

extern const DenseKernels<float> kFloatDenseKernels{
    mask<float>,           rectify<float>, rectify_gradient<float>, stalk<float>,
    stalk_gradient<float>, whiten<float>,  whiten_gradient<float>};
extern const DenseKernels<double> kDoubleDenseKernels{
    mask<double>,           rectify<double>, rectify_gradient<double>, stalk<double>,
    stalk_gradient<double>, whiten<double>,  whiten_gradient<double>};

}  // namespace dshn::ops::cpu::DSHN_ISA
