#include <ATen/ATen.h>

#include <vector>

#include "ops/cpu/raw.hpp"
#include "ops/cpu/segment_kernels.hpp"
#include "ops/cpu/sheaf_kernels.hpp"
#include "ops/cpu/work_pieces.hpp"
#include "ops/kernels.hpp"
#include "ops/segment_arguments.hpp"

namespace dshn::ops::cpu {
namespace {

/// kernel(args, begin, end) over the rows of the view, in parallel.
template <typename Args, typename Kernel>
void run(const Args& args, Kernel kernel, std::int64_t rows) {
  parallel_rows_by_cost(args.view.ptr, rows, args.columns,
                        [&](std::int64_t begin, std::int64_t end) { kernel(args, begin, end); });
}

template <typename T>
TensorPair reduce_rows(const at::Tensor& in, bool by_incidence, Over over, Reduce reduction,
                       const Incidence& incidence) {
  const std::int64_t rows = rows_over(incidence, over);
  const bool max = reduction == Reduce::max;
  const bool mean = reduction == Reduce::mean;
  const at::Tensor out = at::empty({rows, in.size(1)}, in.options());
  const at::Tensor winner = at::empty({max ? rows : 0, in.size(1)}, in.options().dtype(at::kInt));
  const ReduceArgs<T> args{
      raw(view_over(incidence, over)), in.size(1), by_incidence, mean, in.data_ptr<T>(), out.data_ptr<T>(),
      winner.data_ptr<std::int32_t>()};
  const SegmentKernels<T>& kernels = segment_kernels<T>();
  run(args, max ? kernels.max : kernels.sum, rows);
  return {out, winner};
}

/// A coefficient per incidence and head is a diagonal map without direction.
template <typename T>
at::Tensor weighted_sum(const at::Tensor& x, const at::Tensor& coefficients, Over over,
                        const Incidence& incidence) {
  const std::int64_t rows = rows_over(incidence, over);
  const std::int64_t heads = coefficients.size(1);
  const at::Tensor out = at::empty({rows, x.size(1)}, x.options());
  GatherArgs<T> args{};
  args.view = raw(view_over(incidence, over));
  args.shape = {heads, x.size(1) / heads, 1, x.size(1) / heads, false};
  args.maps = coefficients.data_ptr<T>();
  args.in = x.data_ptr<T>();
  args.out = out.data_ptr<T>();
  const auto kernel = sheaf_kernels<T>().gather;
  parallel_rows_by_cost(args.view.ptr, rows, x.size(1),
                        [&](std::int64_t begin, std::int64_t end) { kernel(args, begin, end); });
  return out;
}

template <typename T>
TensorPair reduce(const at::Tensor& rows, const OptionalTensor& coefficients, bool by_incidence, Over over,
                  Reduce reduction, const Incidence& incidence) {
  if (!coefficients.has_value()) return reduce_rows<T>(rows, by_incidence, over, reduction, incidence);
  return {weighted_sum<T>(rows, *coefficients, over, incidence), at::empty({0}, at::kInt)};
}

template <typename T>
at::Tensor coefficients_gradient(const at::Tensor& gy, const at::Tensor& x, std::int64_t heads, Over over,
                                 const Incidence& incidence) {
  const at::Tensor out = at::empty({incidence.incidences(), heads}, x.options());
  const DotArgs<T> args{raw(view_over(incidence, over)),
                        x.size(1),
                        heads,
                        gy.data_ptr<T>(),
                        x.data_ptr<T>(),
                        out.data_ptr<T>()};
  run(args, segment_kernels<T>().dots, gy.size(0));
  return out;
}

/// The gradient of the maximum, sent back to the incidences, or over the other view to its rows.
template <typename T>
at::Tensor max_gradient(const at::Tensor& gy, const at::Tensor& winner, bool by_incidence, Over over,
                        const Incidence& incidence) {
  const Over back = by_incidence ? over : opposite(over);
  const std::int64_t rows = rows_over(incidence, back);
  const at::Tensor out = at::empty({by_incidence ? incidence.incidences() : rows, gy.size(1)}, gy.options());
  const WinnerArgs<T> args{raw(view_over(incidence, back)), gy.size(1), gy.data_ptr<T>(),
                           winner.data_ptr<std::int32_t>(), out.data_ptr<T>()};
  const SegmentKernels<T>& kernels = segment_kernels<T>();
  run(args, by_incidence ? kernels.winners_to_incidences : kernels.winners_to_other_ends, rows);
  return out;
}

template <typename T>
at::Tensor expand(const OptionalTensor& nodes, const OptionalTensor& edges, const Incidence& incidence) {
  const at::Tensor& like = nodes.has_value() ? *nodes : *edges;
  const at::Tensor out = at::empty({incidence.incidences(), like.size(1)}, like.options());
  const ExpandArgs<T> args{raw(incidence.by_edge()), like.size(1), raw_or_null<T>(nodes),
                           raw_or_null<T>(edges), out.data_ptr<T>()};
  run(args, segment_kernels<T>().expand, incidence.edges());
  return out;
}

template <typename T>
at::Tensor softmax(const at::Tensor& in, const OptionalTensor& g, Over over, const Incidence& incidence) {
  const at::Tensor out = at::empty_like(in);
  const SoftmaxArgs<T> args{raw(view_over(incidence, over)), in.size(1), in.data_ptr<T>(), raw_or_null<T>(g),
                            out.data_ptr<T>()};
  const SegmentKernels<T>& kernels = segment_kernels<T>();
  const auto kernel = g.has_value() ? kernels.softmax_gradient : kernels.softmax;
  // An exponential costs about as much as twenty additions.
  parallel_rows_by_cost(args.view.ptr, rows_over(incidence, over), 20 * in.size(1),
                        [&](std::int64_t begin, std::int64_t end) {
                          std::vector<T> scratch(2 * in.size(1));
                          kernel(args, begin, end, scratch.data());
                        });
  return out;
}

const AtLoad kSegmentOnCpu([] {
  reduce_kernel.implement(at::kCPU, reduce<float>, reduce<double>);
  coefficients_gradient_kernel.implement(at::kCPU, coefficients_gradient<float>,
                                         coefficients_gradient<double>);
  max_gradient_kernel.implement(at::kCPU, max_gradient<float>, max_gradient<double>);
  expand_kernel.implement(at::kCPU, expand<float>, expand<double>);
  softmax_kernel.implement(at::kCPU, softmax<float>, softmax<double>);
});

}  // namespace
}  // namespace dshn::ops::cpu
