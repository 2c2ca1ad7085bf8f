// Checks, dispatch and derivatives of reductions of per-incidence values, and of their adjoint `expand`.
#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "ops/checks.hpp"
#include "ops/dispatch.hpp"
#include "ops/segment_calls.hpp"

namespace dshn::ops {

std::tuple<at::Tensor, at::Tensor> call_segment(const at::Tensor& values, Over over, Reduce reduce,
                                                at::TensorList incidence) {
  using Signature = std::tuple<at::Tensor, at::Tensor>(const at::Tensor&, bool, std::int64_t, at::TensorList);
  static const auto op = registered<Signature>("dshn::_segment");
  return op.call(values, over == Over::nodes, static_cast<std::int64_t>(reduce), incidence);
}

at::Tensor call_expand(const OptionalTensor& nodes, const OptionalTensor& edges, at::TensorList incidence) {
  using Signature = at::Tensor(const OptionalTensor&, const OptionalTensor&, at::TensorList);
  static const auto op = registered<Signature>("dshn::_expand");
  return op.call(nodes, edges, incidence);
}

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

at::Tensor call_segment_max_backward(const at::Tensor& gy, const at::Tensor& winner, Over over,
                                     at::TensorList incidence) {
  using Signature = at::Tensor(const at::Tensor&, const at::Tensor&, bool, at::TensorList);
  static const auto op = registered<Signature>("dshn::_segment_max_backward");
  return op.call(gy, winner, over == Over::nodes, incidence);
}

at::Tensor expand_one(const at::Tensor& rows, Over over, at::TensorList incidence) {
  return over == Over::nodes ? call_expand(rows, {}, incidence) : call_expand({}, rows, incidence);
}

class SegmentFunction : public torch::autograd::Function<SegmentFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& values, Over over, Reduce reduce,
                          const variable_list& incidence) {
    at::AutoDispatchBelowADInplaceOrView guard;
    const auto [y, winner] = call_segment(values, over, reduce, incidence);
    variable_list saved{winner};
    saved.insert(saved.end(), incidence.begin(), incidence.end());
    ctx->save_for_backward(saved);
    ctx->saved_data["over"] = static_cast<std::int64_t>(over);
    ctx->saved_data["reduce"] = static_cast<std::int64_t>(reduce);
    return y;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_double_backward("segment");
    const variable_list saved = ctx->get_saved_variables();
    const variable_list incidence(saved.begin() + 1, saved.end());
    const auto over = static_cast<Over>(ctx->saved_data["over"].toInt());
    const auto reduce = static_cast<Reduce>(ctx->saved_data["reduce"].toInt());
    const at::Tensor gy = grads[0].contiguous();
    at::Tensor g;
    if (reduce == Reduce::max)
      g = call_segment_max_backward(gy, saved[0], over, incidence);
    else
      g = expand_one(reduce == Reduce::mean ? divided_by_size(gy, over, Incidence(incidence)) : gy, over,
                     incidence);
    return {g, Variable(), Variable(), Variable()};
  }
};

class ExpandFunction : public torch::autograd::Function<ExpandFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const OptionalTensor& nodes, const OptionalTensor& edges,
                          const variable_list& incidence) {
    at::AutoDispatchBelowADInplaceOrView guard;
    ctx->save_for_backward(incidence);
    ctx->saved_data["nodes"] = nodes.has_value();
    ctx->saved_data["edges"] = edges.has_value();
    return call_expand(nodes, edges, incidence);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_double_backward("expand");
    const variable_list incidence = ctx->get_saved_variables();
    const at::Tensor g = grads[0].contiguous();
    std::size_t input = 0;  // autograd numbers only the tensors that were given
    Variable gradients[2];
    for (const Over over : {Over::nodes, Over::edges}) {
      if (!ctx->saved_data[text_of(over)].toBool() || !ctx->needs_input_grad(input++)) continue;
      gradients[over == Over::nodes ? 0 : 1] = std::get<0>(call_segment(g, over, Reduce::sum, incidence));
    }
    return {gradients[0], gradients[1], Variable()};
  }
};

template <Reduce reduce, Autograd autograd>
at::Tensor segment_as(const at::Tensor& values, std::string over_text, at::TensorList tensors) {
  const Incidence incidence(tensors.vec());
  const Over over = over_of(over_text);
  check_rows(values, "values", incidence.incidences(), incidence);
  const at::Tensor y = autograd == Autograd::on
                           ? SegmentFunction::apply(flat(values), over, reduce, tensors.vec())
                           : std::get<0>(call_segment(flat(values), over, reduce, tensors));
  return shaped_like(y, values);
}

template <Autograd autograd>
at::Tensor expand_flat(const OptionalTensor& nodes, const OptionalTensor& edges, at::TensorList tensors) {
  return autograd == Autograd::on ? ExpandFunction::apply(nodes, edges, tensors.vec())
                                  : call_expand(nodes, edges, tensors);
}

template <Autograd autograd>
at::Tensor expand_as(const at::Tensor& rows, std::string over_text, at::TensorList tensors) {
  const Incidence incidence(tensors.vec());
  const Over over = over_of(over_text);
  check_rows(rows, "rows", rows_over(incidence, over), incidence);
  const OptionalTensor given = flat(rows);
  const at::Tensor y = over == Over::nodes ? expand_flat<autograd>(given, {}, tensors)
                                           : expand_flat<autograd>({}, given, tensors);
  return shaped_like(y, rows);
}

template <Autograd autograd>
at::Tensor linear_as(const at::Tensor& node_rows, const at::Tensor& edge_rows, at::TensorList tensors) {
  const Incidence incidence(tensors.vec());
  check_rows(node_rows, "node_rows", incidence.nodes(), incidence);
  std::vector<std::int64_t> shape = node_rows.sizes().vec();
  shape[0] = incidence.edges();
  check_like(edge_rows, "edge_rows", shape, node_rows, "node_rows", incidence);
  return shaped_like(
      expand_flat<autograd>(OptionalTensor(flat(node_rows)), OptionalTensor(flat(edge_rows)), tensors),
      node_rows);
}

template <Autograd autograd>
void implement_segments(torch::Library& m) {
  m.impl("segment_sum", segment_as<Reduce::sum, autograd>);
  m.impl("segment_mean", segment_as<Reduce::mean, autograd>);
  m.impl("segment_max", segment_as<Reduce::max, autograd>);
  m.impl("expand", expand_as<autograd>);
  m.impl("incidence_linear", linear_as<autograd>);
}

TORCH_LIBRARY_IMPL(dshn, Autograd, m) {
  implement_segments<Autograd::on>(m);
}
TORCH_LIBRARY_IMPL(dshn, CompositeExplicitAutograd, m) {
  implement_segments<Autograd::off>(m);
}

using SegmentSignature = at::Tensor(const at::Tensor&, std::string, at::TensorList);

}  // namespace

at::Tensor segment_sum(const at::Tensor& values, Over over, const Incidence& incidence) {
  static const auto op = registered<SegmentSignature>("dshn::segment_sum");
  return op.call(values, text_of(over), incidence.tensors());
}

at::Tensor segment_mean(const at::Tensor& values, Over over, const Incidence& incidence) {
  static const auto op = registered<SegmentSignature>("dshn::segment_mean");
  return op.call(values, text_of(over), incidence.tensors());
}

at::Tensor segment_max(const at::Tensor& values, Over over, const Incidence& incidence) {
  static const auto op = registered<SegmentSignature>("dshn::segment_max");
  return op.call(values, text_of(over), incidence.tensors());
}

at::Tensor expand(const at::Tensor& rows, Over over, const Incidence& incidence) {
  static const auto op = registered<SegmentSignature>("dshn::expand");
  return op.call(rows, text_of(over), incidence.tensors());
}

at::Tensor incidence_linear(const at::Tensor& node_rows, const at::Tensor& edge_rows,
                            const Incidence& incidence) {
  using LinearSignature = at::Tensor(const at::Tensor&, const at::Tensor&, at::TensorList);
  static const auto op = registered<LinearSignature>("dshn::incidence_linear");
  return op.call(node_rows, edge_rows, incidence.tensors());
}

}  // namespace dshn::ops
