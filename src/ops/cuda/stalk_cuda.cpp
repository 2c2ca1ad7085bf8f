#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include <tuple>

#include "ops/cuda/raw.hpp"
#include "ops/cuda/stream.hpp"

namespace dshn::ops::cuda {
namespace {

/// x: [rows, d, length].
std::tuple<at::Tensor, at::Tensor> stalk_product_on_device(const at::Tensor& x, const at::Tensor& weight,
                                                           const OptionalTensor& added, bool mean) {
  const c10::DeviceGuard guard(x.device());
  const at::Tensor y = at::empty_like(x);
  const at::Tensor average = mean ? at::empty({x.size(0), x.size(2)}, x.options()) : at::Tensor();
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "stalk_product", [&] {
    const StalkArgs<scalar_t> args{x.size(0),
                                   x.size(1),
                                   x.size(2),
                                   x.data_ptr<scalar_t>(),
                                   weight.data_ptr<scalar_t>(),
                                   raw_or_null<scalar_t>(added),
                                   y.data_ptr<scalar_t>(),
                                   mean ? average.data_ptr<scalar_t>() : nullptr};
    launch_stalk_product(args, current_stream());
  });
  return {y, average};
}

at::Tensor stalk_gradient_on_device(const at::Tensor& gy, const at::Tensor& x) {
  const c10::DeviceGuard guard(x.device());
  const std::int64_t d = x.size(1);
  const at::Tensor gradient = at::empty({d, d}, x.options());
  const at::Tensor partial =
      at::empty({stalk_partial_rows(x.size(0), x.size(2)), d * d}, x.options().dtype(at::kDouble));
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "stalk_weight_gradient", [&] {
    launch_stalk_gradient(gy.data_ptr<scalar_t>(), x.data_ptr<scalar_t>(), gradient.data_ptr<scalar_t>(),
                          partial.data_ptr<double>(), x.size(0), d, x.size(2), current_stream());
  });
  return gradient;
}

TORCH_LIBRARY_IMPL(dshn, CUDA, m) {
  m.impl("_stalk_product", stalk_product_on_device);
  m.impl("_stalk_weight_gradient", stalk_gradient_on_device);
}

}  // namespace
}  // namespace dshn::ops::cuda
