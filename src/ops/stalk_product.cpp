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
using TensorPair = std::tuple<at::Tensor, at::Tensor>;
using PublicSignature = at::Tensor(const at::Tensor&, const at::Tensor&);
using PublicPairSignature = TensorPair(const at::Tensor&, const at::Tensor&);

/// (W x + added / d, mean of x or nothing) for x [rows, d, length], added and mean [rows, length].
TensorPair call_product(const at::Tensor& x, const at::Tensor& weight, const OptionalTensor& added,
                        bool mean) {
  using Signature = TensorPair(const at::Tensor&, const at::Tensor&, const OptionalTensor&, bool);
  static const auto op = registered<Signature>("dshn::_stalk_product");
  return op.call(x, weight, added, mean);
}

at::Tensor call_weight_gradient(const at::Tensor& gy, const at::Tensor& x) {
  static const auto op = registered<PublicSignature>("dshn::_stalk_weight_gradient");
  return op.call(gy, x);
}

/// x: [rows, d, length]. Gives the product and, where asked for, the mean.
class StalkFunction : public torch::autograd::Function<StalkFunction> {
 public:
  static variable_list forward(AutogradContext* ctx, const Variable& x, const Variable& weight, bool mean) {
    at::AutoDispatchBelowADInplaceOrView guard;
    ctx->save_for_backward({x, weight});
    const auto [y, average] = call_product(x, weight, {}, mean);
    return mean ? variable_list{y, average} : variable_list{y};
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_double_backward("stalk_product");
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor g = grads[0].defined() ? grads[0].contiguous() : at::zeros_like(saved[0]);
    OptionalTensor by_mean;
    if (grads.size() == 2 && grads[1].defined()) by_mean = grads[1].contiguous();
    at::Tensor gx;
    if (ctx->needs_input_grad(0))
      gx = std::get<0>(call_product(g, saved[1].t().contiguous(), by_mean, false));
    return {gx, ctx->needs_input_grad(1) ? call_weight_gradient(g, saved[0]) : Variable(), Variable()};
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

/// [rows, 1, ...] like x.
at::Tensor mean_like(const at::Tensor& x, const at::Tensor& mean) {
  std::vector<std::int64_t> sizes = x.sizes().vec();
  sizes[1] = 1;
  return mean.view(sizes);
}

at::Tensor recorded_product(const at::Tensor& x, const at::Tensor& weight) {
  return StalkFunction::apply(stalk_rows(x, weight), weight.contiguous(), false)[0].view(x.sizes());
}
at::Tensor unrecorded_product(const at::Tensor& x, const at::Tensor& weight) {
  return std::get<0>(call_product(stalk_rows(x, weight), weight.contiguous(), {}, false)).view(x.sizes());
}
TensorPair recorded_product_and_mean(const at::Tensor& x, const at::Tensor& weight) {
  const variable_list both = StalkFunction::apply(stalk_rows(x, weight), weight.contiguous(), true);
  return {both[0].view(x.sizes()), mean_like(x, both[1])};
}
TensorPair unrecorded_product_and_mean(const at::Tensor& x, const at::Tensor& weight) {
  const auto [y, mean] = call_product(stalk_rows(x, weight), weight.contiguous(), {}, true);
  return {y.view(x.sizes()), mean_like(x, mean)};
}

/// For devices without kernels of their own.
TensorPair composite_product(const at::Tensor& x, const at::Tensor& weight, const OptionalTensor& added,
                             bool mean) {
  at::Tensor y = at::matmul(weight, x);
  if (added.has_value()) y.add_(added->unsqueeze(1), 1.0 / static_cast<double>(x.size(1)));
  return {y, mean ? x.mean(1) : at::Tensor()};
}
at::Tensor composite_gradient(const at::Tensor& gy, const at::Tensor& x) {
  return at::einsum("rik,rjk->ij", {gy, x});
}

TORCH_LIBRARY_IMPL(dshn, Autograd, m) {
  m.impl("stalk_product", recorded_product);
  m.impl("stalk_product_and_mean", recorded_product_and_mean);
}
TORCH_LIBRARY_IMPL(dshn, CompositeExplicitAutograd, m) {
  m.impl("stalk_product", unrecorded_product);
  m.impl("stalk_product_and_mean", unrecorded_product_and_mean);
  m.impl("_stalk_product", composite_product);
  m.impl("_stalk_weight_gradient", composite_gradient);
}

}  // namespace

at::Tensor stalk_product(const at::Tensor& x, const at::Tensor& weight) {
  static const auto op = registered<PublicSignature>("dshn::stalk_product");
  return op.call(x, weight);
}

std::pair<at::Tensor, at::Tensor> stalk_product_and_mean(const at::Tensor& x, const at::Tensor& weight) {
  static const auto op = registered<PublicPairSignature>("dshn::stalk_product_and_mean");
  const auto [y, mean] = op.call(x, weight);
  return {y, mean};
}

}  // namespace dshn::ops
