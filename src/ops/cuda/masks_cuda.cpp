// Dropout, and the end of a layer: residual, complex ReLU, dropout.
#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include "dshn/ops/optional.hpp"
#include "ops/cuda/raw.hpp"
#include "ops/cuda/stream.hpp"

namespace dshn::ops::cuda {
namespace {

at::Tensor dropout(const at::Tensor& x, double p, const at::Tensor& step_key, std::int64_t call,
                   std::int64_t planes, std::int64_t channels) {
  const c10::DeviceGuard guard(x.device());
  const at::Tensor result = at::empty_like(x);
  const DeviceMask mask = device_mask(p, OptionalTensor(step_key), call);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "dropout", [&] {
    launch_dropout(x.data_ptr<scalar_t>(), result.data_ptr<scalar_t>(), x.numel(), mask, planes, channels,
                   nullptr, current_stream());
  });
  return result;
}

at::Tensor dropout_at(const at::Tensor& values, const at::Tensor& numbers, double p,
                      const at::Tensor& step_key, std::int64_t call) {
  const c10::DeviceGuard guard(values.device());
  const at::Tensor result = at::empty_like(values);
  const DeviceMask mask = device_mask(p, OptionalTensor(step_key), call);
  AT_DISPATCH_FLOATING_TYPES(values.scalar_type(), "dropout_at", [&] {
    launch_dropout(values.data_ptr<scalar_t>(), result.data_ptr<scalar_t>(), values.numel(), mask, 1, 1,
                   numbers.data_ptr<std::int64_t>(), current_stream());
  });
  return result;
}

template <typename T>
RectifyArgs<T> rectify_args(const at::Tensor& in, const T* other, const at::Tensor& out,
                            const DeviceMask& mask) {
  return {in.numel(), in.size(2), in.size(3), in.data_ptr<T>(), other, out.data_ptr<T>(), mask};
}

at::Tensor rectify(const at::Tensor& y, const OptionalTensor& skip, double p, const OptionalTensor& step_key,
                   std::int64_t call) {
  const c10::DeviceGuard guard(y.device());
  const at::Tensor out = at::empty_like(y);
  const DeviceMask mask = device_mask(p, step_key, call);
  AT_DISPATCH_FLOATING_TYPES(y.scalar_type(), "rectify", [&] {
    launch_rectify(rectify_args(y, raw_or_null<scalar_t>(skip), out, mask), current_stream());
  });
  return out;
}

at::Tensor rectify_backward(const at::Tensor& g, const at::Tensor& out, double p) {
  const c10::DeviceGuard guard(g.device());
  const at::Tensor gy = at::empty_like(g);
  AT_DISPATCH_FLOATING_TYPES(g.scalar_type(), "rectify_backward", [&] {
    const scalar_t* output = out.data_ptr<scalar_t>();
    launch_rectify_gradient(rectify_args(g, output, gy, device_mask(p, {}, 0)), current_stream());
  });
  return gy;
}

TORCH_LIBRARY_IMPL(dshn, CUDA, m) {
  m.impl("dropout", dropout);
  m.impl("dropout_at", dropout_at);
  m.impl("_rectify", rectify);
  m.impl("_rectify_backward", rectify_backward);
}

}  // namespace
}  // namespace dshn::ops::cuda
