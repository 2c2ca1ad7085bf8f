// Checks and derivatives of the sums, means and maxima of rows at the other end of each incidence.
#include <ATen/ATen.h>

#include "ops/operator.hpp"
#include "ops/parts.hpp"
#include "ops/segment_arguments.hpp"

namespace dshn::ops {
namespace {

void check_coefficients(const at::Tensor& coefficients, const at::Tensor& x, const Incidence& incidence) {
  const bool by_head = coefficients.defined() && coefficients.dim() == 2;
  std::vector<std::int64_t> shape{incidence.incidences()};
  if (by_head) shape.push_back(-1);
  check_like(coefficients, "coefficients", shape, x, "rows", incidence);
  if (!by_head) return;
  const std::int64_t heads = coefficients.size(1);
  check(x.dim() == 2 && heads > 0 && x.size(1) % heads == 0, "x",
        "[rows, c] with c a multiple of the " + std::to_string(heads) + " heads of the coefficients",
        describe(x));
}

at::Tensor gather(AutogradContext* ctx, const at::Tensor& x, const OptionalTensor& coefficients, Over over,
                  Reduce reduce, const Incidence& incidence) {
  check_rows(x, "x", rows_over(incidence, opposite(over)), incidence);
  OptionalTensor by_head;
  if (coefficients.has_value()) {
    check_coefficients(*coefficients, x, incidence);
    by_head = flat(*coefficients);
  }
  const auto [y, winner] = reduce_in_parts(flat(x), by_head, false, over, reduce, incidence);
  if (ctx != nullptr) {
    // The rows themselves are needed by the gradient of the coefficients only.
    const bool weighted = coefficients.has_value();
    save(ctx, {weighted ? x : at::Tensor(), value_or_undefined(coefficients), winner}, incidence, over);
  }
  return shaped_like(y, x);
}

/// A sum over one view is transposed by the sum over the other.
variable_list gather_gradient(AutogradContext* ctx, const at::Tensor& gradient, Reduce reduce) {
  const variable_list saved = ctx->get_saved_variables();
  const Incidence incidence = saved_incidence(ctx);
  const Over over = saved_over(ctx);
  const at::Tensor gy = gradient_in_parts(flat(gradient), over, incidence);
  const at::Tensor& coefficients = saved[1];
  at::Tensor gx;
  at::Tensor g_coefficients;
  if (ctx->needs_input_grad(0)) {
    if (reduce == Reduce::max) {
      gx = max_gradient_kernel(gy, saved[2], false, over, incidence);
    } else {
      const at::Tensor shares = reduce == Reduce::mean ? divided_by_size(gy, over, incidence) : gy;
      const OptionalTensor by_head =
          coefficients.defined() ? OptionalTensor(flat(coefficients)) : OptionalTensor();
      gx = std::get<0>(reduce_kernel(shares, by_head, false, opposite(over), Reduce::sum, incidence));
    }
    gx = shaped_like(gx, gradient);
  }
  if (coefficients.defined() && ctx->needs_input_grad(1)) {
    const std::int64_t heads = coefficients.dim() == 2 ? coefficients.size(1) : 1;
    g_coefficients =
        coefficients_gradient_kernel(gy, flat(saved[0]), heads, over, incidence).view(coefficients.sizes());
  }
  return {gx, g_coefficients};
}

struct GatherSum {
  static constexpr char kSchema[] =
      "gather_sum(Tensor x, Tensor? coefficients, str over, Incidence incidence) -> Tensor";
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const OptionalTensor& coefficients,
                            Over over, const Incidence& incidence) {
    return gather(ctx, x, coefficients, over, Reduce::sum, incidence);
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    return gather_gradient(ctx, grads[0], Reduce::sum);
  }
};

template <Reduce reduce>
struct Gather {
  static constexpr const char* kSchema =
      reduce == Reduce::mean ? "gather_mean(Tensor x, str over, Incidence incidence) -> Tensor"
                             : "gather_max(Tensor x, str over, Incidence incidence) -> Tensor";
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, Over over,
                            const Incidence& incidence) {
    return gather(ctx, x, {}, over, reduce, incidence);
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    return gather_gradient(ctx, grads[0], reduce);
  }
};

TORCH_LIBRARY_FRAGMENT(dshn, m) {
  define<GatherSum>(m);
  define<Gather<Reduce::mean>>(m);
  define<Gather<Reduce::max>>(m);
}

}  // namespace

at::Tensor gather_sum(const at::Tensor& x, Over over, const Incidence& incidence) {
  return call<GatherSum>(x, OptionalTensor(), over, incidence);
}

at::Tensor gather_sum(const at::Tensor& x, const at::Tensor& coefficients, Over over,
                      const Incidence& incidence) {
  return call<GatherSum>(x, OptionalTensor(coefficients), over, incidence);
}

at::Tensor gather_mean(const at::Tensor& x, Over over, const Incidence& incidence) {
  return call<Gather<Reduce::mean>>(x, over, incidence);
}

at::Tensor gather_max(const at::Tensor& x, Over over, const Incidence& incidence) {
  return call<Gather<Reduce::max>>(x, over, incidence);
}

}  // namespace dshn::ops
