#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "dshn/ops/stalk.hpp"
#include "ops/checks.hpp"
#include "ops/dispatch.hpp"

namespace dshn::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;
using StalkSignature = at::Tensor(const at::Tensor&, const at::Tensor&);

at::Tensor call_stalk(const char* name, const at::Tensor& first, const at::Tensor& second) {
  return registered<StalkSignature>(name).call(first, second);
}

/// x: [rows, d, length].
class StalkFunction : public torch::autograd::Function<StalkFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& x, const Variable& weight) {
    at::AutoDispatchBelowADInplaceOrView guard;
    ctx->save_for_backward({x, weight});
    return call_stalk("dshn::_stalk_product", x, weight);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_double_backward("stalk_product");
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor g = grads[0].contiguous();
    return {ctx->needs_input_grad(0) ? call_stalk("dshn::_stalk_product", g, saved[1].t().contiguous())
                                     : Variable(),
            ctx->needs_input_grad(1) ? call_stalk("dshn::_stalk_weight_gradient", g, saved[0]) : Variable()};
  }
};

/// Checks the arguments and gives x as [rows, d, length].
at::Tensor stalk_rows(const at::Tensor& x, const at::Tensor& weight) {
  check(x.dim() >= 2 && x.is_floating_point(), "x", "a floating-point tensor [rows, d, ...]", describe(x));
  const std::int64_t d = x.size(1);
  std::string expected = "[d, d] of the type and device of x, d = ";
  expected += std::to_string(d);
  check(weight.sizes() == at::IntArrayRef({d, d}) && weight.scalar_type() == x.scalar_type() &&
            weight.device() == x.device(),
        "weight", expected, describe(weight));
  return x.contiguous().view({x.size(0), d, x.numel() == 0 ? 0 : x.numel() / (x.size(0) * d)});
}

at::Tensor recorded_product(const at::Tensor& x, const at::Tensor& weight) {
  return StalkFunction::apply(stalk_rows(x, weight), weight.contiguous()).view(x.sizes());
}
at::Tensor unrecorded_product(const at::Tensor& x, const at::Tensor& weight) {
  return call_stalk("dshn::_stalk_product", stalk_rows(x, weight), weight.contiguous()).view(x.sizes());
}

/// For devices without kernels of their own.
at::Tensor composite_product(const at::Tensor& x, const at::Tensor& weight) {
  return at::matmul(weight, x);
}
at::Tensor composite_gradient(const at::Tensor& gy, const at::Tensor& x) {
  return at::einsum("rik,rjk->ij", {gy, x});
}

TORCH_LIBRARY_IMPL(dshn, Autograd, m) {
  m.impl("stalk_product", recorded_product);
}
TORCH_LIBRARY_IMPL(dshn, CompositeExplicitAutograd, m) {
  m.impl("stalk_product", unrecorded_product);
  m.impl("_stalk_product", composite_product);
  m.impl("_stalk_weight_gradient", composite_gradient);
}

}  // namespace

at::Tensor stalk_product(const at::Tensor& x, const at::Tensor& weight) {
  static const auto op = registered<StalkSignature>("dshn::stalk_product");
  return op.call(x, weight);
}

}  // namespace dshn::ops
