#include <ATen/ATen.h>

#include "ops/cpu/dense_kernels.hpp"
#include "ops/cpu/work_pieces.hpp"
#include "ops/dropout_hash.hpp"
#include "ops/kernels.hpp"

namespace dshn::ops::cpu {
namespace {

template <typename T>
at::Tensor dropout(const at::Tensor& x, double p, const MaskKey& key, std::int64_t planes,
                   std::int64_t channels) {
  const std::uint64_t hash_key = mask_key(key.step_key.item<std::int64_t>(), key.call);
  const at::Tensor result = at::empty_like(x);
  if (x.numel() == 0) return result;
  // A plain array is one plane of one long run, cut so that pieces can go to different threads, or of rows.
  const bool flat = planes == 1;
  constexpr std::int64_t kRun = 4096;
  const std::int64_t row = x.numel() / std::max<std::int64_t>(x.size(0), 1);
  const std::int64_t* const rows = key.rows.defined() ? key.rows.data_ptr<std::int64_t>() : nullptr;
  const std::int64_t run = !flat ? channels : rows != nullptr ? row : kRun;
  const std::int64_t runs = flat ? (x.numel() + run - 1) / run : x.numel() / channels;
  const T* in = x.data_ptr<T>();
  T* out = result.data_ptr<T>();
  const auto mask = dense_kernels<T>().mask;
  const auto scale = static_cast<T>(1 / (1 - p));
  const std::int64_t grain = std::max<std::int64_t>(1, 16384 / run);
  parallel_pieces((runs + grain - 1) / grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin * grain; r < std::min(end * grain, runs); ++r) {
      const std::int64_t length = std::min(run, x.numel() - r * run);
      std::int64_t first = r / planes * run;
      if (rows != nullptr) first += (rows[r * run / row] - r * run / row) * (row / planes);
      mask({in + r * run, out + r * run, length, static_cast<std::uint32_t>(first), hash_key,
            drop_threshold(p), scale});
    }
  });
  return result;
}

template <typename T>
at::Tensor dropout_at(const at::Tensor& values, const at::Tensor& numbers, double p, const MaskKey& key) {
  const std::uint64_t hash_key = mask_key(key.step_key.item<std::int64_t>(), key.call);
  const auto low = static_cast<std::uint32_t>(hash_key);
  const auto high = static_cast<std::uint32_t>(hash_key >> 32);
  const std::uint32_t threshold = drop_threshold(p);
  const at::Tensor result = at::empty_like(values);
  const T* in = values.data_ptr<T>();
  const std::int64_t* number = numbers.data_ptr<std::int64_t>();
  T* out = result.data_ptr<T>();
  const auto scale = static_cast<T>(1 / (1 - p));
  constexpr std::int64_t kGrain = 16384;
  parallel_pieces((values.size(0) + kGrain - 1) / kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin * kGrain; i < std::min(end * kGrain, values.size(0)); ++i) {
      const bool kept = mask_bits(low, high, static_cast<std::uint32_t>(number[i])) >= threshold;
      out[i] = kept ? in[i] * scale : T(0);
    }
  });
  return result;
}

const AtLoad kDropoutOnCpu([] {
  dropout_kernel.implement(at::kCPU, dropout<float>, dropout<double>);
  dropout_at_kernel.implement(at::kCPU, dropout_at<float>, dropout_at<double>);
});

}  // namespace
}  // namespace dshn::ops::cpu
