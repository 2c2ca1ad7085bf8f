// Checks, dispatch and derivative of a linear layer on nodes and what their hyperedges hold.
#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "ops/checks.hpp"
#include "ops/dispatch.hpp"
#include "ops/segment_calls.hpp"

namespace dshn::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

at::Tensor forward_rows(const at::Tensor& node_rows, const at::Tensor& member_rows, Reduce reduce,
                        at::TensorList incidence) {
  const at::Tensor edge_rows = std::get<0>(call_gather(member_rows, {}, Over::edges, reduce, incidence));
  return call_expand(node_rows, edge_rows, incidence);
}

class MemberLinearFunction : public torch::autograd::Function<MemberLinearFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& node_rows, const Variable& member_rows,
                          Reduce reduce, const variable_list& incidence) {
    at::AutoDispatchBelowADInplaceOrView guard;
    ctx->save_for_backward(incidence);
    ctx->saved_data["reduce"] = static_cast<std::int64_t>(reduce);
    return forward_rows(node_rows, member_rows, reduce, incidence);
  }

  /// The mean of a hyperedge's gradients is what each of its members gets of them.
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_double_backward("member_linear");
    const variable_list incidence = ctx->get_saved_variables();
    const auto reduce = static_cast<Reduce>(ctx->saved_data["reduce"].toInt());
    const at::Tensor g = grads[0].contiguous();
    at::Tensor g_nodes;
    at::Tensor g_members;
    if (ctx->needs_input_grad(0)) g_nodes = std::get<0>(call_segment(g, Over::nodes, Reduce::sum, incidence));
    if (ctx->needs_input_grad(1)) {
      const at::Tensor g_edges = std::get<0>(call_segment(g, Over::edges, reduce, incidence));
      g_members = std::get<0>(call_gather(g_edges, {}, Over::nodes, Reduce::sum, incidence));
    }
    return {g_nodes, g_members, Variable(), Variable()};
  }
};

template <Autograd autograd>
at::Tensor member_linear_as(const at::Tensor& node_rows, const at::Tensor& member_rows, bool mean,
                            at::TensorList tensors) {
  const Incidence incidence(tensors.vec());
  check_rows(node_rows, "node_rows", incidence.nodes(), incidence);
  check_like(member_rows, "member_rows", node_rows.sizes(), node_rows, "node_rows", incidence);
  const Reduce reduce = mean ? Reduce::mean : Reduce::sum;
  const at::Tensor y =
      autograd == Autograd::on
          ? MemberLinearFunction::apply(flat(node_rows), flat(member_rows), reduce, tensors.vec())
          : forward_rows(flat(node_rows), flat(member_rows), reduce, tensors);
  return shaped_like(y, node_rows);
}

TORCH_LIBRARY_IMPL(dshn, Autograd, m) {
  m.impl("member_linear", member_linear_as<Autograd::on>);
}
TORCH_LIBRARY_IMPL(dshn, CompositeExplicitAutograd, m) {
  m.impl("member_linear", member_linear_as<Autograd::off>);
}

}  // namespace

at::Tensor member_linear(const at::Tensor& node_rows, const at::Tensor& member_rows, Pool pool,
                         const Incidence& incidence) {
  using Signature = at::Tensor(const at::Tensor&, const at::Tensor&, bool, at::TensorList);
  static const auto op = registered<Signature>("dshn::member_linear");
  return op.call(node_rows, member_rows, pool == Pool::mean, incidence.tensors());
}

}  // namespace dshn::ops
