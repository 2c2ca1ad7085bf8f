#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <torch/library.h>

#include "dshn/ops/optional.hpp"
#include "ops/cpu/dense_kernels.hpp"
#include "ops/cpu/parallel_rows.hpp"
#include "ops/dropout_hash.hpp"

namespace dshn::ops::cpu {
namespace {

/// The fields that forward and backward share; a run is the planes of one stalk component of one row.
template <typename T>
RectifyArgs<T> rectify_args(const at::Tensor& y, double p) {
  RectifyArgs<T> args{};
  args.planes = y.size(2);
  args.channels = y.size(3);
  args.in = y.data_ptr<T>();
  args.threshold = drop_threshold(p);
  args.scale = static_cast<T>(1 / (1 - p));
  return args;
}

at::Tensor rectify(const at::Tensor& y, const OptionalTensor& skip, double p, const OptionalTensor& step_key,
                   std::int64_t call) {
  const at::Tensor out = at::empty_like(y);
  AT_DISPATCH_FLOATING_TYPES(y.scalar_type(), "rectify", [&] {
    RectifyArgs<scalar_t> args = rectify_args<scalar_t>(y, p);
    args.other = skip.has_value() ? skip->data_ptr<scalar_t>() : nullptr;
    args.out = out.data_ptr<scalar_t>();
    if (p != 0) args.key = mask_key(step_key->item<std::int64_t>(), call);
    over_runs(args, y.numel(), dense_kernels<scalar_t>().rectify);
  });
  return out;
}

at::Tensor rectify_backward(const at::Tensor& g, const at::Tensor& out, double p) {
  const at::Tensor gy = at::empty_like(g);
  AT_DISPATCH_FLOATING_TYPES(g.scalar_type(), "rectify_backward", [&] {
    RectifyArgs<scalar_t> args = rectify_args<scalar_t>(g, p);
    args.other = out.data_ptr<scalar_t>();
    args.out = gy.data_ptr<scalar_t>();
    over_runs(args, g.numel(), dense_kernels<scalar_t>().rectify_gradient);
  });
  return gy;
}

TORCH_LIBRARY_IMPL(dshn, CPU, m) {
  m.impl("_rectify", rectify);
  m.impl("_rectify_backward", rectify_backward);
}

}  // namespace
}  // namespace dshn::ops::cpu
