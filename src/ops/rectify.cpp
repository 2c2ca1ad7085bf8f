// Checks, dispatch and derivative of a layer's end. The loops are in cpu/ and cuda/.
#include "dshn/ops/rectify.hpp"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "ops/checks.hpp"
#include "ops/dispatch.hpp"
#include "ops/rectify_calls.hpp"

namespace dshn::ops {

at::Tensor call_rectify(const char* name, const at::Tensor& y, const OptionalTensor& skip, double p,
                        const OptionalTensor& step_key, std::int64_t call) {
  using RectifySignature =
      at::Tensor(const at::Tensor&, const OptionalTensor&, double, const OptionalTensor&, std::int64_t);
  return registered<RectifySignature>(name).call(y, skip, p, step_key, call);
}

at::Tensor rectify_gradient(const at::Tensor& g, const at::Tensor& out, double p) {
  using Signature = at::Tensor(const at::Tensor&, const at::Tensor&, double);
  static const auto op = registered<Signature>("dshn::_rectify_backward");
  return op.call(g, out, p);
}

void check_rectify(const at::Tensor& y, const OptionalTensor& skip, double p,
                   const OptionalTensor& step_key) {
  check(y.dim() == 4 && (y.size(2) == 1 || y.size(2) == 2) && y.is_floating_point(), "y",
        "[rows, d, planes, f] with 1 or 2 planes", describe(y));
  check(!skip.has_value() || (skip->sizes() == y.sizes() && skip->scalar_type() == y.scalar_type() &&
                              skip->device() == y.device()),
        "skip", "like y, " + describe(y), describe(value_or_undefined(skip)));
  if (p != 0) check_mask(p, value_or_undefined(step_key), y);
}

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

/// What was kept has a positive real part, so the output itself says where gradients pass.
class RectifyFunction : public torch::autograd::Function<RectifyFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& y, const OptionalTensor& skip, double p,
                          const OptionalTensor& step_key, std::int64_t call) {
    at::AutoDispatchBelowADInplaceOrView guard;
    const at::Tensor out = call_rectify("dshn::_rectify", y, skip, p, step_key, call);
    ctx->save_for_backward({out});
    ctx->saved_data["p"] = p;
    ctx->saved_data["skips"] = skip.has_value();
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_double_backward("rectify");
    const at::Tensor g = rectify_gradient(grads[0].contiguous(), ctx->get_saved_variables()[0],
                                          ctx->saved_data["p"].toDouble());
    return {g, ctx->saved_data["skips"].toBool() ? g : Variable(), Variable(), Variable(), Variable()};
  }
};

at::Tensor recorded_rectify(const at::Tensor& y, const OptionalTensor& skip, double p,
                            const OptionalTensor& step_key, std::int64_t call) {
  check_rectify(y, skip, p, step_key);
  return RectifyFunction::apply(y.contiguous(), contiguous(skip), p, step_key, call);
}
at::Tensor unrecorded_rectify(const at::Tensor& y, const OptionalTensor& skip, double p,
                              const OptionalTensor& step_key, std::int64_t call) {
  check_rectify(y, skip, p, step_key);
  return call_rectify("dshn::_rectify", y.contiguous(), contiguous(skip), p, step_key, call);
}

TORCH_LIBRARY_IMPL(dshn, Autograd, m) {
  m.impl("rectify", recorded_rectify);
}
TORCH_LIBRARY_IMPL(dshn, CompositeExplicitAutograd, m) {
  m.impl("rectify", unrecorded_rectify);
}

}  // namespace

at::Tensor rectify(const at::Tensor& y, const OptionalTensor& skip, double p, const MaskKey& key) {
  return call_rectify("dshn::rectify", y, skip, p, optional_of(key.step_key), key.call);
}

}  // namespace dshn::ops
