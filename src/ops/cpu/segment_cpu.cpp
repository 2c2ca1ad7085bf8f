#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <torch/library.h>

#include <tuple>
#include <vector>

#include "ops/cpu/parallel_rows.hpp"
#include "ops/cpu/raw.hpp"
#include "ops/cpu/segment_kernels.hpp"
#include "ops/cpu/sheaf_kernels.hpp"
#include "ops/segment_arguments.hpp"

namespace dshn::ops::cpu {
namespace {

using TensorPair = std::tuple<at::Tensor, at::Tensor>;

Over over_from(bool nodes) {
  return nodes ? Over::nodes : Over::edges;
}

/// kernel(args, begin, end) over the rows of the view, in parallel.
template <typename Args, typename Kernel>
void run(const Args& args, Kernel kernel, std::int64_t rows) {
  parallel_rows(args.view.ptr, rows, args.columns,
                [&](std::int64_t begin, std::int64_t end) { kernel(args, begin, end); });
}

TensorPair reduce_rows(const at::Tensor& in, bool from_incidences, Over over, std::int64_t reduce,
                       const Incidence& incidence) {
  const std::int64_t rows = rows_over(incidence, over);
  const bool max = static_cast<Reduce>(reduce) == Reduce::max;
  const bool mean = static_cast<Reduce>(reduce) == Reduce::mean;
  const at::Tensor out = at::empty({rows, in.size(1)}, in.options());
  const at::Tensor winner = at::empty({max ? rows : 0, in.size(1)}, in.options().dtype(at::kInt));
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "segment", [&] {
    const ReduceArgs<scalar_t> args{raw(view_over(incidence, over)),
                                    in.size(1),
                                    from_incidences,
                                    mean,
                                    in.data_ptr<scalar_t>(),
                                    out.data_ptr<scalar_t>(),
                                    winner.data_ptr<std::int32_t>()};
    const SegmentKernels<scalar_t>& kernels = segment_kernels<scalar_t>();
    run(args, max ? kernels.max : kernels.sum, rows);
  });
  return {out, winner};
}

/// A coefficient per incidence and head is a diagonal map without direction.
at::Tensor weighted_sum(const at::Tensor& x, const at::Tensor& coefficients, Over over,
                        const Incidence& incidence) {
  const std::int64_t rows = rows_over(incidence, over);
  const std::int64_t heads = coefficients.size(1);
  const at::Tensor out = at::empty({rows, x.size(1)}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gather_sum", [&] {
    GatherArgs<scalar_t> args{};
    args.view = raw(view_over(incidence, over));
    args.shape = {heads, x.size(1) / heads, 1, x.size(1) / heads, false};
    args.maps = coefficients.data_ptr<scalar_t>();
    args.in = x.data_ptr<scalar_t>();
    args.out = out.data_ptr<scalar_t>();
    const auto kernel = sheaf_kernels<scalar_t>().gather;
    parallel_rows(args.view.ptr, rows, x.size(1),
                  [&](std::int64_t begin, std::int64_t end) { kernel(args, begin, end); });
  });
  return out;
}

TensorPair gather(const at::Tensor& x, const OptionalTensor& coefficients, bool nodes, std::int64_t reduce,
                  at::TensorList tensors) {
  const Incidence incidence(tensors.vec());
  if (!coefficients.has_value()) return reduce_rows(x, false, over_from(nodes), reduce, incidence);
  return {weighted_sum(x, *coefficients, over_from(nodes), incidence), at::empty({0}, at::kInt)};
}

TensorPair segment(const at::Tensor& values, bool nodes, std::int64_t reduce, at::TensorList tensors) {
  return reduce_rows(values, true, over_from(nodes), reduce, Incidence(tensors.vec()));
}

at::Tensor coefficients_backward(const at::Tensor& gy, const at::Tensor& x, std::int64_t heads, bool nodes,
                                 at::TensorList tensors) {
  const Incidence incidence(tensors.vec());
  const at::Tensor out = at::empty({incidence.incidences(), heads}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gather_coefficients_backward", [&] {
    const DotArgs<scalar_t> args{raw(view_over(incidence, over_from(nodes))),
                                 x.size(1),
                                 heads,
                                 gy.data_ptr<scalar_t>(),
                                 x.data_ptr<scalar_t>(),
                                 out.data_ptr<scalar_t>()};
    run(args, segment_kernels<scalar_t>().dots, gy.size(0));
  });
  return out;
}

/// The gradient of the maximum, sent back over a view to one row of `out` per row of that view, or (to
/// incidences) per entry.
at::Tensor winners(const at::Tensor& gy, const at::Tensor& winner, Over over, bool to_incidences,
                   const Incidence& incidence) {
  const std::int64_t rows = rows_over(incidence, over);
  const at::Tensor out = at::empty({to_incidences ? incidence.incidences() : rows, gy.size(1)}, gy.options());
  AT_DISPATCH_FLOATING_TYPES(gy.scalar_type(), "max_backward", [&] {
    const WinnerArgs<scalar_t> args{raw(view_over(incidence, over)), gy.size(1), gy.data_ptr<scalar_t>(),
                                    winner.data_ptr<std::int32_t>(), out.data_ptr<scalar_t>()};
    const SegmentKernels<scalar_t>& kernels = segment_kernels<scalar_t>();
    run(args, to_incidences ? kernels.winners_to_incidences : kernels.winners_to_other_ends, rows);
  });
  return out;
}

at::Tensor gather_max_backward(const at::Tensor& gy, const at::Tensor& winner, bool nodes,
                               at::TensorList tensors) {
  return winners(gy, winner, opposite(over_from(nodes)), false, Incidence(tensors.vec()));
}

at::Tensor segment_max_backward(const at::Tensor& gy, const at::Tensor& winner, bool nodes,
                                at::TensorList tensors) {
  return winners(gy, winner, over_from(nodes), true, Incidence(tensors.vec()));
}

at::Tensor expand(const OptionalTensor& nodes, const OptionalTensor& edges, at::TensorList tensors) {
  const Incidence incidence(tensors.vec());
  const at::Tensor& like = nodes.has_value() ? *nodes : *edges;
  const at::Tensor out = at::empty({incidence.incidences(), like.size(1)}, like.options());
  AT_DISPATCH_FLOATING_TYPES(like.scalar_type(), "expand", [&] {
    const ExpandArgs<scalar_t> args{
        raw(incidence.by_edge), like.size(1), nodes.has_value() ? nodes->data_ptr<scalar_t>() : nullptr,
        edges.has_value() ? edges->data_ptr<scalar_t>() : nullptr, out.data_ptr<scalar_t>()};
    run(args, segment_kernels<scalar_t>().expand, incidence.edges());
  });
  return out;
}

/// softmax of `in`, or with a gradient g the gradient where `in` is the softmax.
at::Tensor softmax_rows(const at::Tensor& in, const at::Tensor& g, Over over, const Incidence& incidence) {
  const at::Tensor out = at::empty_like(in);
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "segment_softmax", [&] {
    const SoftmaxArgs<scalar_t> args{raw(view_over(incidence, over)), in.size(1), in.data_ptr<scalar_t>(),
                                     g.defined() ? g.data_ptr<scalar_t>() : nullptr,
                                     out.data_ptr<scalar_t>()};
    const SegmentKernels<scalar_t>& kernels = segment_kernels<scalar_t>();
    const auto kernel = g.defined() ? kernels.softmax_gradient : kernels.softmax;
    // An exponential costs about as much as twenty additions.
    parallel_rows(args.view.ptr, rows_over(incidence, over), 20 * in.size(1),
                  [&](std::int64_t begin, std::int64_t end) {
                    std::vector<scalar_t> scratch(2 * in.size(1));
                    kernel(args, begin, end, scratch.data());
                  });
  });
  return out;
}

at::Tensor softmax(const at::Tensor& values, bool nodes, at::TensorList tensors) {
  return softmax_rows(values, at::Tensor(), over_from(nodes), Incidence(tensors.vec()));
}

at::Tensor softmax_backward(const at::Tensor& gy, const at::Tensor& y, bool nodes, at::TensorList tensors) {
  return softmax_rows(y, gy, over_from(nodes), Incidence(tensors.vec()));
}

TORCH_LIBRARY_IMPL(dshn, CPU, m) {
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
}  // namespace dshn::ops::cpu
