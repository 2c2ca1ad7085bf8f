// Checks, dispatch and derivative of the whitening. The loops are in cpu/ and cuda/.
#include "dshn/ops/whiten.hpp"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "ops/checks.hpp"
#include "ops/dispatch.hpp"

namespace dshn::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;
using WhitenSignature = at::Tensor(const at::Tensor&, double);

/// Keeps x, not the result: its moments are cheaper to find again than to keep.
class WhitenFunction : public torch::autograd::Function<WhitenFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& x, double epsilon) {
    at::AutoDispatchBelowADInplaceOrView guard;
    ctx->save_for_backward({x});
    ctx->saved_data["epsilon"] = epsilon;
    return registered<WhitenSignature>("dshn::_whiten").call(x, epsilon);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_double_backward("whiten");
    using Signature = at::Tensor(const at::Tensor&, const at::Tensor&, double);
    static const auto op = registered<Signature>("dshn::_whiten_backward");
    return {
        op.call(grads[0].contiguous(), ctx->get_saved_variables()[0], ctx->saved_data["epsilon"].toDouble()),
        Variable()};
  }
};

void check_whiten(const at::Tensor& x, double epsilon) {
  check(x.dim() == 4 && (x.size(2) == 1 || x.size(2) == 2) && x.is_floating_point(), "x",
        "[rows, d, planes, f] with 1 or 2 planes", describe(x));
  check(epsilon > 0, "epsilon", "a number above 0", epsilon);
}

at::Tensor recorded_whiten(const at::Tensor& x, double epsilon) {
  check_whiten(x, epsilon);
  return WhitenFunction::apply(x.contiguous(), epsilon);
}
at::Tensor unrecorded_whiten(const at::Tensor& x, double epsilon) {
  check_whiten(x, epsilon);
  return registered<WhitenSignature>("dshn::_whiten").call(x.contiguous(), epsilon);
}

TORCH_LIBRARY_IMPL(dshn, Autograd, m) {
  m.impl("whiten", recorded_whiten);
}
TORCH_LIBRARY_IMPL(dshn, CompositeExplicitAutograd, m) {
  m.impl("whiten", unrecorded_whiten);
}

}  // namespace

at::Tensor whiten(const at::Tensor& x, double epsilon) {
  static const auto op = registered<WhitenSignature>("dshn::whiten");
  return op.call(x, epsilon);
}

}  // namespace dshn::ops
