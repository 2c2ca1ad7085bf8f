#include <ATen/ATen.h>

#include "ops/cuda/raw.hpp"
#include "ops/cuda/stream.hpp"
#include "ops/kernels.hpp"
#include "ops/segment_arguments.hpp"

namespace dshn::ops::cuda {
namespace {

/// Rows of `columns` numbers as one block of one plane.
template <typename T>
SumArgs<T> plain_sum(const DeviceView& view, const at::Tensor& in, const at::Tensor& out) {
  SumArgs<T> args{};
  args.view = view;
  args.blocks = 1;
  args.planes = 1;
  args.channels = in.size(1);
  args.map_blocks = 1;
  args.phase = {false, nullptr, 1, 0};
  args.in = in.data_ptr<T>();
  args.out = out.data_ptr<T>();
  return args;
}

template <typename T>
TensorPair sums(const at::Tensor& in, bool by_incidence, Over over, bool mean, const Incidence& incidence) {
  const at::Tensor out = at::empty({rows_over(incidence, over), in.size(1)}, in.options());
  SumArgs<T> args = plain_sum<T>(raw(view_over(incidence, over)), in, out);
  args.by_incidence = by_incidence;
  args.divide_by_size = mean;
  run_sum(args, in, current_stream());
  return {out, at::empty({0, in.size(1)}, in.options().dtype(at::kInt))};
}

template <typename T>
TensorPair maxima(const at::Tensor& in, bool by_incidence, Over over, const Incidence& incidence) {
  const at::TensorOptions integers = in.options().dtype(at::kInt);
  const at::Tensor out = at::empty({rows_over(incidence, over), in.size(1)}, in.options());
  const at::Tensor winner = at::empty(out.sizes(), integers);
  const DeviceView view = raw(view_over(incidence, over));
  const at::Tensor partial = at::empty({partial_rows(view), in.size(1)}, in.options());
  const at::Tensor partial_winner = at::empty(partial.sizes(), integers);
  const MaxArgs<T> args{view,
                        in.size(1),
                        by_incidence,
                        in.data_ptr<T>(),
                        out.data_ptr<T>(),
                        winner.data_ptr<std::int32_t>(),
                        partial.data_ptr<T>(),
                        partial_winner.data_ptr<std::int32_t>()};
  launch_max(args, current_stream());
  return {out, winner};
}

/// A coefficient per incidence and head is a diagonal map without direction.
template <typename T>
at::Tensor weighted_sum(const at::Tensor& x, const at::Tensor& coefficients, Over over,
                        const Incidence& incidence) {
  const std::int64_t heads = coefficients.size(1);
  const at::Tensor out = at::empty({rows_over(incidence, over), x.size(1)}, x.options());
  SumArgs<T> args = plain_sum<T>(raw(view_over(incidence, over)), x, out);
  args.blocks = heads;
  args.channels = x.size(1) / heads;
  args.maps = coefficients.data_ptr<T>();
  args.map_blocks = heads;
  run_sum(args, x, current_stream());
  return out;
}

template <typename T>
TensorPair reduce(const at::Tensor& rows, const OptionalTensor& coefficients, bool by_incidence, Over over,
                  Reduce reduction, const Incidence& incidence) {
  if (coefficients.has_value())
    return {weighted_sum<T>(rows, *coefficients, over, incidence),
            at::empty({0}, rows.options().dtype(at::kInt))};
  if (reduction == Reduce::max) return maxima<T>(rows, by_incidence, over, incidence);
  return sums<T>(rows, by_incidence, over, reduction == Reduce::mean, incidence);
}

template <typename T>
at::Tensor coefficients_gradient(const at::Tensor& gy, const at::Tensor& x, std::int64_t heads, Over over,
                                 const Incidence& incidence) {
  const at::Tensor out = at::empty({incidence.incidences(), heads}, x.options());
  MapGradientArgs<T> args{};
  args.view = raw(view_over(incidence, over));
  args.blocks = heads;
  args.planes = 1;
  args.channels = x.size(1) / heads;
  args.map_blocks = heads;
  args.phase = {false, nullptr, 1, 0};
  args.h = gy.data_ptr<T>();
  args.g = x.data_ptr<T>();
  args.g_maps = out.data_ptr<T>();
  launch_map_gradient(args, current_stream());
  return out;
}

/// To the incidences, or a sum over the other view that counts an entry only where it won.
template <typename T>
at::Tensor max_gradient(const at::Tensor& gy, const at::Tensor& winner, bool by_incidence, Over over,
                        const Incidence& incidence) {
  const Over back = by_incidence ? over : opposite(over);
  const std::int64_t rows = by_incidence ? incidence.incidences() : rows_over(incidence, back);
  const at::Tensor out = at::empty({rows, gy.size(1)}, gy.options());
  const DeviceView view = raw(view_over(incidence, back));
  if (by_incidence) {
    launch_winners(view, gy.size(1), gy.data_ptr<T>(), winner.data_ptr<std::int32_t>(), out.data_ptr<T>(),
                   current_stream());
  } else {
    SumArgs<T> args = plain_sum<T>(view, gy, out);
    args.winner = winner.data_ptr<std::int32_t>();
    run_sum(args, gy, current_stream());
  }
  return out;
}

template <typename T>
at::Tensor expand(const OptionalTensor& nodes, const OptionalTensor& edges, const Incidence& incidence) {
  const at::Tensor& like = nodes.has_value() ? *nodes : *edges;
  const at::Tensor out = at::empty({incidence.incidences(), like.size(1)}, like.options());
  launch_expand(raw(incidence.by_edge()), like.size(1), raw_or_null<T>(nodes), raw_or_null<T>(edges),
                out.data_ptr<T>(), current_stream());
  return out;
}

template <typename T>
at::Tensor softmax(const at::Tensor& in, const OptionalTensor& g, Over over, const Incidence& incidence) {
  const at::Tensor out = at::empty_like(in);
  launch_softmax(raw(view_over(incidence, over)), in.size(1), in.data_ptr<T>(), raw_or_null<T>(g),
                 out.data_ptr<T>(), current_stream());
  return out;
}

const AtLoad kSegmentOnCuda([] {
  reduce_kernel.implement(at::kCUDA, reduce<float>, reduce<double>);
  coefficients_gradient_kernel.implement(at::kCUDA, coefficients_gradient<float>,
                                         coefficients_gradient<double>);
  max_gradient_kernel.implement(at::kCUDA, max_gradient<float>, max_gradient<double>);
  expand_kernel.implement(at::kCUDA, expand<float>, expand<double>);
  softmax_kernel.implement(at::kCUDA, softmax<float>, softmax<double>);
});

}  // namespace
}  // namespace dshn::ops::cuda
