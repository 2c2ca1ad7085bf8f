// Checks and derivative of the whitening. The loops are in cpu/ and cuda/.
#include "dshn/ops/whiten.hpp"

#include <ATen/ATen.h>

#include "ops/operator.hpp"

namespace dshn::ops {
namespace {

/// Keeps x, not the result: its moments are cheaper to find again than to keep.
struct Whiten {
  static constexpr char kSchema[] = "whiten(Tensor x, float epsilon) -> Tensor";

  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& given, double epsilon) {
    check_planar(given, "x");
    check(epsilon > 0, "epsilon", "a number above 0", epsilon);
    const at::Tensor x = given.contiguous();
    if (ctx != nullptr) {
      ctx->save_for_backward({x});
      ctx->saved_data["epsilon"] = epsilon;
    }
    return whiten_kernel(x, {}, epsilon);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    return {whiten_kernel(ctx->get_saved_variables()[0], grads[0].contiguous(),
                          ctx->saved_data["epsilon"].toDouble())};
  }
};

TORCH_LIBRARY_FRAGMENT(dshn, m) {
  define<Whiten>(m);
}

}  // namespace

at::Tensor whiten(const at::Tensor& x, double epsilon) {
  return call<Whiten>(x, epsilon);
}

}  // namespace dshn::ops
