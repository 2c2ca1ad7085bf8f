#include <ATen/ATen.h>

#include "ops/cuda/raw.hpp"
#include "ops/cuda/stream.hpp"
#include "ops/kernels.hpp"

namespace dshn::ops::cuda {
namespace {

/// x: [rows, d, length].
template <typename T>
TensorPair stalk_product_on_device(const at::Tensor& x, const at::Tensor& weight, const OptionalTensor& added,
                                   bool mean) {
  const at::Tensor y = at::empty_like(x);
  const at::Tensor average = mean ? at::empty({x.size(0), x.size(2)}, x.options()) : at::Tensor();
  const StalkArgs<T> args{x.size(0),
                          x.size(1),
                          x.size(2),
                          x.data_ptr<T>(),
                          weight.data_ptr<T>(),
                          raw_or_null<T>(added),
                          y.data_ptr<T>(),
                          mean ? average.data_ptr<T>() : nullptr};
  launch_stalk_product(args, current_stream());
  return {y, average};
}

template <typename T>
at::Tensor stalk_gradient_on_device(const at::Tensor& gy, const at::Tensor& x) {
  const std::int64_t d = x.size(1);
  const at::Tensor gradient = at::empty({d, d}, x.options());
  const at::Tensor partial =
      at::empty({stalk_partial_rows(x.size(0), x.size(2)), d * d}, x.options().dtype(at::kDouble));
  launch_stalk_gradient(gy.data_ptr<T>(), x.data_ptr<T>(), gradient.data_ptr<T>(), partial.data_ptr<double>(),
                        x.size(0), d, x.size(2), current_stream());
  return gradient;
}

const AtLoad kStalkOnCuda([] {
  stalk_kernel.implement(at::kCUDA, stalk_product_on_device<float>, stalk_product_on_device<double>);
  stalk_weight_gradient_kernel.implement(at::kCUDA, stalk_gradient_on_device<float>,
                                         stalk_gradient_on_device<double>);
});

}  // namespace
}  // namespace dshn::ops::cuda
