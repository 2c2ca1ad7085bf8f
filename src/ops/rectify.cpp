// Checks and derivative of a layer's end. The loops are in cpu/ and cuda/.
#include "dshn/ops/rectify.hpp"

#include <ATen/ATen.h>

#include "ops/operator.hpp"

namespace dshn::ops {
namespace {

/// What was kept has a positive real part, so the output itself says where gradients pass.
struct Rectify {
  static constexpr char kSchema[] =
      "rectify(Tensor y, Tensor? skip, float p, Tensor? step_key, int call, Tensor? rows=None) -> Tensor";

  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& y, const OptionalTensor& skip, double p,
                            const OptionalTensor& step_key, std::int64_t number, const OptionalTensor& rows) {
    const MaskKey key{value_or_undefined(step_key), number, value_or_undefined(rows)};
    check_rectify(y, skip, p, key);
    const at::Tensor out = rectify_kernel(y.contiguous(), contiguous(skip), p, key);
    if (ctx != nullptr) {
      ctx->save_for_backward({out});
      ctx->saved_data["p"] = p;
      ctx->saved_data["skips"] = skip.has_value();
    }
    return out;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const at::Tensor g = rectify_gradient_kernel(grads[0].contiguous(), ctx->get_saved_variables()[0],
                                                 ctx->saved_data["p"].toDouble());
    return {g, ctx->saved_data["skips"].toBool() ? g : at::Tensor()};
  }
};

TORCH_LIBRARY_FRAGMENT(dshn, m) {
  define<Rectify>(m);
}

}  // namespace

at::Tensor rectify(const at::Tensor& y, const OptionalTensor& skip, double p, const MaskKey& key) {
  return call<Rectify>(y, skip, p, optional_of(key.step_key), key.call, optional_of(key.rows));
}

}  // namespace dshn::ops
