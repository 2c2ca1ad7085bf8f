#include <ATen/ATen.h>

#include "ops/cpu/dense_kernels.hpp"
#include "ops/cpu/work_pieces.hpp"
#include "ops/dropout_hash.hpp"
#include "ops/kernels.hpp"

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

template <typename T>
at::Tensor rectify(const at::Tensor& y, const OptionalTensor& skip, double p, const MaskKey& key) {
  const at::Tensor out = at::empty_like(y);
  RectifyArgs<T> args = rectify_args<T>(y, p);
  args.other = skip.has_value() ? skip->data_ptr<T>() : nullptr;
  args.out = out.data_ptr<T>();
  if (p != 0) args.key = mask_key(key.step_key.item<std::int64_t>(), key.call);
  if (p != 0 && key.rows.defined()) args.rows = key.rows.data_ptr<std::int64_t>();
  args.row_runs = y.size(1);
  over_runs(args, y.numel(), dense_kernels<T>().rectify);
  return out;
}

template <typename T>
at::Tensor rectify_gradient(const at::Tensor& g, const at::Tensor& out, double p) {
  const at::Tensor gy = at::empty_like(g);
  RectifyArgs<T> args = rectify_args<T>(g, p);
  args.other = out.data_ptr<T>();
  args.out = gy.data_ptr<T>();
  over_runs(args, g.numel(), dense_kernels<T>().rectify_gradient);
  return gy;
}

const AtLoad kRectifyOnCpu([] {
  rectify_kernel.implement(at::kCPU, rectify<float>, rectify<double>);
  rectify_gradient_kernel.implement(at::kCPU, rectify_gradient<float>, rectify_gradient<double>);
});

}  // namespace
}  // namespace dshn::ops::cpu
