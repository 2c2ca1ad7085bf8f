#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <torch/library.h>

#include "ops/cpu/dense_kernels.hpp"
#include "ops/cpu/parallel_rows.hpp"

namespace dshn::ops::cpu {
namespace {

template <typename T>
WhitenArgs<T> whiten_args(const at::Tensor& x, const at::Tensor& out, double epsilon) {
  WhitenArgs<T> args{};
  args.planes = x.size(2);
  args.channels = x.size(3);
  args.in = x.data_ptr<T>();
  args.out = out.data_ptr<T>();
  args.epsilon = epsilon;
  return args;
}

at::Tensor whiten(const at::Tensor& x, double epsilon) {
  const at::Tensor out = at::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "whiten", [&] {
    over_runs(whiten_args<scalar_t>(x, out, epsilon), x.numel(), dense_kernels<scalar_t>().whiten);
  });
  return out;
}

at::Tensor whiten_backward(const at::Tensor& g, const at::Tensor& x, double epsilon) {
  const at::Tensor gx = at::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "whiten_backward", [&] {
    WhitenArgs<scalar_t> args = whiten_args<scalar_t>(x, gx, epsilon);
    args.g = g.data_ptr<scalar_t>();
    over_runs(args, x.numel(), dense_kernels<scalar_t>().whiten_gradient);
  });
  return gx;
}

TORCH_LIBRARY_IMPL(dshn, CPU, m) {
  m.impl("_whiten", whiten);
  m.impl("_whiten_backward", whiten_backward);
}

}  // namespace
}  // namespace dshn::ops::cpu
