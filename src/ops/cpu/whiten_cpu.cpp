#include <ATen/ATen.h>

#include "ops/cpu/dense_kernels.hpp"
#include "ops/cpu/work_pieces.hpp"
#include "ops/kernels.hpp"

namespace dshn::ops::cpu {
namespace {

template <typename T>
at::Tensor whiten(const at::Tensor& x, const OptionalTensor& g, double epsilon) {
  const at::Tensor out = at::empty_like(x);
  WhitenArgs<T> args{};
  args.planes = x.size(2);
  args.channels = x.size(3);
  args.in = x.data_ptr<T>();
  args.g = raw_or_null<T>(g);
  args.out = out.data_ptr<T>();
  args.epsilon = epsilon;
  over_runs(args, x.numel(), g.has_value() ? dense_kernels<T>().whiten_gradient : dense_kernels<T>().whiten);
  return out;
}

const AtLoad kWhitenOnCpu([] { whiten_kernel.implement(at::kCPU, whiten<float>, whiten<double>); });

}  // namespace
}  // namespace dshn::ops::cpu
