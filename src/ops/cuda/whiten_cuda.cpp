#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include "dshn/ops/optional.hpp"
#include "ops/cuda/raw.hpp"
#include "ops/cuda/stream.hpp"

namespace dshn::ops::cuda {
namespace {

/// The whitened x, or with a gradient of it that of x.
at::Tensor whitened(const at::Tensor& x, const OptionalTensor& g, double epsilon) {
  const c10::DeviceGuard guard(x.device());
  const at::Tensor out = at::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "whiten", [&] {
    const WhitenArgs<scalar_t> args{x.size(0) * x.size(1),
                                    x.size(2),
                                    x.size(3),
                                    epsilon,
                                    x.data_ptr<scalar_t>(),
                                    raw_or_null<scalar_t>(g),
                                    out.data_ptr<scalar_t>()};
    launch_whiten(args, current_stream());
  });
  return out;
}

at::Tensor whiten(const at::Tensor& x, double epsilon) {
  return whitened(x, {}, epsilon);
}
at::Tensor whiten_backward(const at::Tensor& g, const at::Tensor& x, double epsilon) {
  return whitened(x, OptionalTensor(g), epsilon);
}

TORCH_LIBRARY_IMPL(dshn, CUDA, m) {
  m.impl("_whiten", whiten);
  m.impl("_whiten_backward", whiten_backward);
}

}  // namespace
}  // namespace dshn::ops::cuda
