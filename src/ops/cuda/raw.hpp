#pragma once

#include <ATen/ATen.h>

#include "dshn/ops/incidence.hpp"
#include "dshn/ops/optional.hpp"
#include "ops/cuda/kernels.hpp"
#include "ops/dropout_hash.hpp"

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

/// Null where there is no tensor.
template <typename T>
const T* raw_or_null(const OptionalTensor& tensor) {
  return tensor.has_value() ? tensor->data_ptr<T>() : nullptr;
}

/// Drops nothing without a key.
inline DeviceMask device_mask(double p, const OptionalTensor& step_key, std::int64_t call) {
  const std::int64_t* key = p == 0 ? nullptr : raw_or_null<std::int64_t>(step_key);
  return {key, call, drop_threshold(p), 1 / (1 - p)};
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
