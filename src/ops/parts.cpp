#include "ops/parts.hpp"

#include <ATen/ATen.h>

#include <limits>

#include "ops/segment_arguments.hpp"

namespace dshn::ops {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

void add_up(const at::Tensor& rows, const Incidence& incidence) {
  incidence.exchange()->begin_sum(rows)();
}

TensorPair greatest_in_parts(const at::Tensor& mine, const at::Tensor& winner, const Exchange& exchange) {
  const at::Tensor all = mine.clone();
  exchange.greatest(all);
  const at::Tensor rank = at::where(mine == all, -static_cast<double>(exchange.part()), kNothing);
  const at::Tensor first = rank.clone();
  exchange.greatest(first);
  return {all, at::where(rank == first, winner, at::full({}, -1, winner.options()))};
}

at::Tensor sum_of(const at::Tensor& values, const Incidence& incidence) {
  return std::get<0>(reduce_in_parts(values, {}, true, Over::edges, Reduce::sum, incidence));
}

at::Tensor on_members(const at::Tensor& edge_rows, const Incidence& incidence) {
  return expand_kernel({}, edge_rows, incidence);
}

}  // namespace

TensorPair reduce_in_parts(const at::Tensor& rows, const OptionalTensor& coefficients, bool by_incidence,
                           Over over, Reduce reduce, const Incidence& incidence) {
  if (!in_parts(over, incidence))
    return reduce_kernel(rows, coefficients, by_incidence, over, reduce, incidence);
  const bool mean = reduce == Reduce::mean;
  const auto [y, winner] =
      reduce_kernel(rows, coefficients, by_incidence, over, mean ? Reduce::sum : reduce, incidence);
  if (reduce == Reduce::max) return greatest_in_parts(y, winner, *incidence.exchange());
  add_up(y, incidence);
  return {mean ? divided_by_size(y, over, incidence) : y, winner};
}

at::Tensor gradient_in_parts(const at::Tensor& gradient, Over over, const Incidence& incidence) {
  if (!in_parts(over, incidence)) return gradient;
  const at::Tensor all = gradient.clone();  // autograd may still need what it gave
  add_up(all, incidence);
  return all;
}

at::Tensor softmax_in_parts(const at::Tensor& values, const OptionalTensor& gradient, Over over,
                            const Incidence& incidence) {
  if (!in_parts(over, incidence)) return softmax_kernel(values, gradient, over, incidence);
  if (gradient.has_value())
    return values * (*gradient - on_members(sum_of(values * *gradient, incidence), incidence));
  const auto [greatest, winner] = reduce_in_parts(values, {}, true, over, Reduce::max, incidence);
  const at::Tensor powers = (values - on_members(greatest, incidence)).exp();
  return powers / on_members(sum_of(powers, incidence), incidence);
}

}  // namespace dshn::ops
