#include <ATen/ATen.h>

#include "dshn/ops/stalk.hpp"
#include "ops/operator.hpp"

namespace dshn::ops {
namespace {

/// x as [rows, d, length].
at::Tensor stalk_rows(const at::Tensor& x) {
  return x.contiguous().view(
      {x.size(0), x.size(1), x.numel() == 0 ? 0 : x.numel() / (x.size(0) * x.size(1))});
}

/// (product, mean or nothing).
TensorPair product(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& weight, bool with_mean) {
  check(x.dim() >= 2 && x.is_floating_point(), "x", "a floating-point tensor [rows, d, ...]", describe(x));
  const std::int64_t d = x.size(1);
  std::string expected = "[d, d] of the type and device of x, d = ";
  expected += std::to_string(d);
  check(weight.sizes() == at::IntArrayRef({d, d}) && weight.scalar_type() == x.scalar_type() &&
            weight.device() == x.device(),
        "weight", expected, describe(weight));
  const auto [y, mean] = stalk_kernel(stalk_rows(x), weight.contiguous(), {}, with_mean);
  if (ctx != nullptr) ctx->save_for_backward({x, weight});
  if (!with_mean) return {y.view(x.sizes()), mean};
  std::vector<std::int64_t> sizes = x.sizes().vec();
  sizes[1] = 1;
  return {y.view(x.sizes()), mean.view(sizes)};
}

variable_list product_gradients(AutogradContext* ctx, const at::Tensor& by_product,
                                const at::Tensor& by_mean) {
  const variable_list saved = ctx->get_saved_variables();
  const at::Tensor g = stalk_rows(by_product);
  OptionalTensor added;
  if (by_mean.defined()) added = by_mean.contiguous().view({g.size(0), g.size(2)});
  variable_list gradients(2);
  if (ctx->needs_input_grad(0)) {
    const auto [gx, none] = stalk_kernel(g, saved[1].t().contiguous(), added, false);
    gradients[0] = gx.view(saved[0].sizes());
  }
  if (ctx->needs_input_grad(1)) gradients[1] = stalk_weight_gradient_kernel(g, stalk_rows(saved[0]));
  return gradients;
}

struct StalkProduct {
  static constexpr char kSchema[] = "stalk_product(Tensor x, Tensor weight) -> Tensor";
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& weight) {
    return std::get<0>(product(ctx, x, weight, false));
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    return product_gradients(ctx, grads[0], {});
  }
};

struct StalkProductAndMean {
  static constexpr char kSchema[] = "stalk_product_and_mean(Tensor x, Tensor weight) -> (Tensor, Tensor)";
  static TensorPair forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& weight) {
    return product(ctx, x, weight, true);
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    return product_gradients(ctx, grads[0], grads[1]);
  }
};

TORCH_LIBRARY_FRAGMENT(dshn, m) {
  define<StalkProduct>(m);
  define<StalkProductAndMean>(m);
}

}  // namespace

at::Tensor stalk_product(const at::Tensor& x, const at::Tensor& weight) {
  return call<StalkProduct>(x, weight);
}

std::pair<at::Tensor, at::Tensor> stalk_product_and_mean(const at::Tensor& x, const at::Tensor& weight) {
  const auto [y, mean] = call<StalkProductAndMean>(x, weight);
  return {y, mean};
}

}  // namespace dshn::ops
