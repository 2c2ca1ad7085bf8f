// Dropout, and the end of a layer: residual, complex ReLU, dropout.
#include <ATen/ATen.h>

#include "ops/cuda/raw.hpp"
#include "ops/cuda/stream.hpp"
#include "ops/kernels.hpp"

namespace dshn::ops::cuda {
namespace {

template <typename T>
at::Tensor dropout(const at::Tensor& x, double p, const MaskKey& key, std::int64_t planes,
                   std::int64_t channels) {
  const at::Tensor result = at::empty_like(x);
  const DeviceMask mask = device_mask(p, key);
  launch_dropout(x.data_ptr<T>(), result.data_ptr<T>(), x.numel(), mask, planes, channels, nullptr,
                 current_stream());
  return result;
}

template <typename T>
at::Tensor dropout_at(const at::Tensor& values, const at::Tensor& numbers, double p, const MaskKey& key) {
  const at::Tensor result = at::empty_like(values);
  const DeviceMask mask = device_mask(p, key);
  launch_dropout(values.data_ptr<T>(), result.data_ptr<T>(), values.numel(), mask, 1, 1,
                 numbers.data_ptr<std::int64_t>(), current_stream());
  return result;
}

template <typename T>
RectifyArgs<T> rectify_args(const at::Tensor& in, const T* other, const at::Tensor& out,
                            const DeviceMask& mask) {
  return {in.numel(), in.size(2), in.size(3), in.data_ptr<T>(), other, out.data_ptr<T>(), mask};
}

template <typename T>
at::Tensor rectify(const at::Tensor& y, const OptionalTensor& skip, double p, const MaskKey& key) {
  const at::Tensor out = at::empty_like(y);
  const DeviceMask mask = device_mask(p, key);
  launch_rectify(rectify_args(y, raw_or_null<T>(skip), out, mask), current_stream());
  return out;
}

template <typename T>
at::Tensor rectify_gradient(const at::Tensor& g, const at::Tensor& out, double p) {
  const at::Tensor gy = at::empty_like(g);
  const T* output = out.data_ptr<T>();
  launch_rectify_gradient(rectify_args(g, output, gy, device_mask(p, {})), current_stream());
  return gy;
}

const AtLoad kMasksOnCuda([] {
  dropout_kernel.implement(at::kCUDA, dropout<float>, dropout<double>);
  dropout_at_kernel.implement(at::kCUDA, dropout_at<float>, dropout_at<double>);
  rectify_kernel.implement(at::kCUDA, rectify<float>, rectify<double>);
  rectify_gradient_kernel.implement(at::kCUDA, rectify_gradient<float>, rectify_gradient<double>);
});

}  // namespace
}  // namespace dshn::ops::cuda
