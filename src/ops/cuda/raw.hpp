#pragma once

#include <ATen/ATen.h>

#include "dshn/ops/dropout.hpp"
#include "dshn/ops/incidence.hpp"
#include "dshn/ops/optional.hpp"
#include "ops/cuda/kernels.hpp"
#include "ops/dropout_hash.hpp"
#include "ops/kernel.hpp"

namespace dshn::ops::cuda {

inline DeviceView raw(const View& view) {
  return {view.ptr.data_ptr<std::int64_t>(),
          view.split.data_ptr<std::int64_t>(),
          view.index.data_ptr<std::int32_t>(),
          view.position.numel() == 0 ? nullptr : view.position.data_ptr<std::int64_t>(),
          view.split.size(0),
          view.index.size(0),
          view.pieces.data_ptr<std::int32_t>(),
          view.pieces.size(0)};
}

/// Drops nothing without a key.
inline DeviceMask device_mask(double p, const MaskKey& key) {
  const bool keyed = p != 0 && key.step_key.defined();
  const std::int64_t* step_key = keyed ? key.step_key.data_ptr<std::int64_t>() : nullptr;
  return {step_key, key.call, drop_threshold(p), 1 / (1 - p)};
}

/// Runs the sum with the scratch it asks for.
template <typename T>
void run_sum(SumArgs<T> args, const at::Tensor& like, cudaStream_t stream) {
  const SumPlan plan = plan_sum(args);
  const at::Tensor partial = at::empty({plan.partial_rows, args.row()}, like.options());
  args.partial = partial.data_ptr<T>();
  launch_sum(args, stream);
}

}  // namespace dshn::ops::cuda
