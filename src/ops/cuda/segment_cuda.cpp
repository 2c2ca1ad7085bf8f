#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include <tuple>

#include "ops/cuda/raw.hpp"
#include "ops/cuda/stream.hpp"
#include "ops/segment_arguments.hpp"

namespace dshn::ops::cuda {
namespace {

using TensorPair = std::tuple<at::Tensor, at::Tensor>;

Over device_over(bool nodes) {
  return nodes ? Over::nodes : Over::edges;
}

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

TensorPair sums(const at::Tensor& in, bool from_incidences, Over over, bool mean,
                const Incidence& incidence) {
  const at::Tensor out = at::empty({rows_over(incidence, over), in.size(1)}, in.options());
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "segment_sum", [&] {
    SumArgs<scalar_t> args = plain_sum<scalar_t>(raw(view_over(incidence, over)), in, out);
    args.by_incidence = from_incidences;
    args.divide_by_size = mean;
    run_sum(args, in, current_stream());
  });
  return {out, at::empty({0, in.size(1)}, in.options().dtype(at::kInt))};
}

TensorPair maxima(const at::Tensor& in, bool from_incidences, Over over, const Incidence& incidence) {
  const at::TensorOptions integers = in.options().dtype(at::kInt);
  const at::Tensor out = at::empty({rows_over(incidence, over), in.size(1)}, in.options());
  const at::Tensor winner = at::empty(out.sizes(), integers);
  const DeviceView view = raw(view_over(incidence, over));
  const at::Tensor partial = at::empty({partial_rows(view), in.size(1)}, in.options());
  const at::Tensor partial_winner = at::empty(partial.sizes(), integers);
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "segment_max", [&] {
    const MaxArgs<scalar_t> args{view,
                                 in.size(1),
                                 from_incidences,
                                 in.data_ptr<scalar_t>(),
                                 out.data_ptr<scalar_t>(),
                                 winner.data_ptr<std::int32_t>(),
                                 partial.data_ptr<scalar_t>(),
                                 partial_winner.data_ptr<std::int32_t>()};
    launch_max(args, current_stream());
  });
  return {out, winner};
}

TensorPair reduce_rows(const at::Tensor& in, bool from_incidences, Over over, std::int64_t reduce,
                       const Incidence& incidence) {
  if (static_cast<Reduce>(reduce) == Reduce::max) return maxima(in, from_incidences, over, incidence);
  return sums(in, from_incidences, over, static_cast<Reduce>(reduce) == Reduce::mean, incidence);
}

/// A coefficient per incidence and head is a diagonal map without direction.
at::Tensor weighted_sum(const at::Tensor& x, const at::Tensor& coefficients, Over over,
                        const Incidence& incidence) {
  const std::int64_t heads = coefficients.size(1);
  const at::Tensor out = at::empty({rows_over(incidence, over), x.size(1)}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gather_sum", [&] {
    SumArgs<scalar_t> args = plain_sum<scalar_t>(raw(view_over(incidence, over)), x, out);
    args.blocks = heads;
    args.channels = x.size(1) / heads;
    args.maps = coefficients.data_ptr<scalar_t>();
    args.map_blocks = heads;
    run_sum(args, x, current_stream());
  });
  return out;
}

TensorPair gather(const at::Tensor& x, const OptionalTensor& coefficients, bool nodes, std::int64_t reduce,
                  at::TensorList tensors) {
  const c10::DeviceGuard guard(x.device());
  const Incidence incidence(tensors.vec());
  if (!coefficients.has_value()) return reduce_rows(x, false, device_over(nodes), reduce, incidence);
  return {weighted_sum(x, *coefficients, device_over(nodes), incidence),
          at::empty({0}, x.options().dtype(at::kInt))};
}

TensorPair segment(const at::Tensor& values, bool nodes, std::int64_t reduce, at::TensorList tensors) {
  const c10::DeviceGuard guard(values.device());
  return reduce_rows(values, true, device_over(nodes), reduce, Incidence(tensors.vec()));
}

at::Tensor coefficients_backward(const at::Tensor& gy, const at::Tensor& x, std::int64_t heads, bool nodes,
                                 at::TensorList tensors) {
  const c10::DeviceGuard guard(x.device());
  const Incidence incidence(tensors.vec());
  const at::Tensor out = at::empty({incidence.incidences(), heads}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gather_coefficients_backward", [&] {
    MapGradientArgs<scalar_t> args{};
    args.view = raw(view_over(incidence, device_over(nodes)));
    args.blocks = heads;
    args.planes = 1;
    args.channels = x.size(1) / heads;
    args.map_blocks = heads;
    args.phase = {false, nullptr, 1, 0};
    args.h = gy.data_ptr<scalar_t>();
    args.g = x.data_ptr<scalar_t>();
    args.g_maps = out.data_ptr<scalar_t>();
    launch_map_gradient(args, current_stream());
  });
  return out;
}

/// A sum over the other view that counts an entry only where it won.
at::Tensor gather_max_backward(const at::Tensor& gy, const at::Tensor& winner, bool nodes,
                               at::TensorList tensors) {
  const c10::DeviceGuard guard(gy.device());
  const Incidence incidence(tensors.vec());
  const Over over = opposite(device_over(nodes));
  const at::Tensor out = at::empty({rows_over(incidence, over), gy.size(1)}, gy.options());
  AT_DISPATCH_FLOATING_TYPES(gy.scalar_type(), "gather_max_backward", [&] {
    SumArgs<scalar_t> args = plain_sum<scalar_t>(raw(view_over(incidence, over)), gy, out);
    args.winner = winner.data_ptr<std::int32_t>();
    run_sum(args, gy, current_stream());
  });
  return out;
}

at::Tensor segment_max_backward(const at::Tensor& gy, const at::Tensor& winner, bool nodes,
                                at::TensorList tensors) {
  const c10::DeviceGuard guard(gy.device());
  const Incidence incidence(tensors.vec());
  const at::Tensor out = at::empty({incidence.incidences(), gy.size(1)}, gy.options());
  AT_DISPATCH_FLOATING_TYPES(gy.scalar_type(), "segment_max_backward", [&] {
    launch_winners(raw(view_over(incidence, device_over(nodes))), gy.size(1), gy.data_ptr<scalar_t>(),
                   winner.data_ptr<std::int32_t>(), out.data_ptr<scalar_t>(), current_stream());
  });
  return out;
}

at::Tensor expand(const OptionalTensor& nodes, const OptionalTensor& edges, at::TensorList tensors) {
  const Incidence incidence(tensors.vec());
  const at::Tensor& like = nodes.has_value() ? *nodes : *edges;
  const c10::DeviceGuard guard(like.device());
  const at::Tensor out = at::empty({incidence.incidences(), like.size(1)}, like.options());
  AT_DISPATCH_FLOATING_TYPES(like.scalar_type(), "expand", [&] {
    launch_expand(raw(incidence.by_edge), like.size(1), raw_or_null<scalar_t>(nodes),
                  raw_or_null<scalar_t>(edges), out.data_ptr<scalar_t>(), current_stream());
  });
  return out;
}

/// softmax of `in`, or with a gradient g the gradient where `in` is the softmax.
at::Tensor softmax_rows(const at::Tensor& in, const OptionalTensor& g, bool nodes, at::TensorList tensors) {
  const c10::DeviceGuard guard(in.device());
  const Incidence incidence(tensors.vec());
  const at::Tensor out = at::empty_like(in);
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "segment_softmax", [&] {
    launch_softmax(raw(view_over(incidence, device_over(nodes))), in.size(1), in.data_ptr<scalar_t>(),
                   raw_or_null<scalar_t>(g), out.data_ptr<scalar_t>(), current_stream());
  });
  return out;
}

at::Tensor softmax(const at::Tensor& values, bool nodes, at::TensorList tensors) {
  return softmax_rows(values, {}, nodes, tensors);
}

at::Tensor softmax_backward(const at::Tensor& gy, const at::Tensor& y, bool nodes, at::TensorList tensors) {
  return softmax_rows(y, OptionalTensor(gy), nodes, tensors);
}

TORCH_LIBRARY_IMPL(dshn, CUDA, m) {
  m.impl("_gather", gather);
  m.impl("_gather_coefficients_backward", coefficients_backward);
  m.impl("_gather_max_backward", gather_max_backward);
  m.impl("_segment", segment);
  m.impl("_segment_max_backward", segment_max_backward);
  m.impl("_expand", expand);
  m.impl("_segment_softmax", softmax);
  m.impl("_segment_softmax_backward", softmax_backward);
}

}  // namespace
}  // namespace dshn::ops::cuda
