#include <ATen/ATen.h>

#include "ops/cuda/raw.hpp"
#include "ops/cuda/stream.hpp"
#include "ops/kernels.hpp"

namespace dshn::ops::cuda {
namespace {

template <typename T>
at::Tensor whiten(const at::Tensor& x, const OptionalTensor& g, double epsilon) {
  const at::Tensor out = at::empty_like(x);
  const WhitenArgs<T> args{x.size(0) * x.size(1), x.size(2),         x.size(3),        epsilon,
                           x.data_ptr<T>(),       raw_or_null<T>(g), out.data_ptr<T>()};
  launch_whiten(args, current_stream());
  return out;
}

const AtLoad kWhitenOnCuda([] { whiten_kernel.implement(at::kCUDA, whiten<float>, whiten<double>); });

}  // namespace
}  // namespace dshn::ops::cuda
