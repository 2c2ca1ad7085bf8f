// Checks and the derivative of y = Q x, alone or with the end of a layer. The loops are in cpu/ and cuda/.
#include <ATen/ATen.h>

#include <cmath>

#include "dshn/ops/sheaf.hpp"
#include "ops/operator.hpp"

namespace dshn::ops {
namespace {

void check_arguments(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                     const OptionalTensor& weight, const Incidence& incidence) {
  check_tensor(x, "x", {incidence.nodes(), -1, -1, -1}, incidence);
  check(x.size(2) == 1 || x.size(2) == 2, "x", "1 (real) or 2 (re, im) planes in dimension 2", describe(x));
  const std::int64_t d = x.size(1);
  check(d >= 1, "x", "a stalk dimension of at least 1 in dimension 1", describe(x));
  check_maps(maps, incidence);
  const bool general = maps.dim() == 3;
  check(
      (maps.size(1) == d || (!general && maps.size(1) == 1)) && maps.scalar_type() == x.scalar_type(), "maps",
      "[nnz, 1], [nnz, d] or [nnz, d, d] with nnz = " + std::to_string(incidence.incidences()) +
          " and d = " + std::to_string(d) + ", of the type of the signal, " + c10::toString(x.scalar_type()),
      describe(maps));
  check_weight(weight, maps, incidence);
  if (!q.has_value()) return;
  check(q->numel() == 1 && (q->scalar_type() == at::kFloat || q->scalar_type() == at::kDouble), "q",
        "a floating-point scalar", describe(*q));
  check(x.size(2) == 2, "x", "2 planes (re, im), because there is a charge q", describe(x));
  check(q->device().is_cpu() || q->device() == x.device(), "q", "a scalar on cpu or " + x.device().str(),
        describe(*q));
  if (q->device().is_cpu()) {
    const double value = q->item<double>();
    check(std::isfinite(value), "q", "a finite charge", value);
  }
}

void save_arguments(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& maps,
                    const OptionalTensor& q, const OptionalTensor& weight, const at::Tensor& h,
                    const at::Tensor& rectified, const Incidence& incidence) {
  save(ctx, {x, maps, value_or_undefined(q), value_or_undefined(weight), h, rectified}, incidence);
}

/// Of x, maps, q and weight, from the gradient of Q x.
variable_list signless_gradients(AutogradContext* ctx, const variable_list& saved, const at::Tensor& gy) {
  // Autograd numbers only the tensors that were given: an absent q moves the weight up.
  const bool has_q = saved[2].defined();
  const bool has_weight = saved[3].defined();
  const std::array<bool, 4> needs{ctx->needs_input_grad(0), ctx->needs_input_grad(1),
                                  has_q && ctx->needs_input_grad(2),
                                  has_weight && ctx->needs_input_grad(has_q ? 3 : 2)};
  const auto [gx, gmaps, gq, gweight] =
      signless_gradient_kernel(gy, saved[0], saved[4], saved[1], optional_of(saved[2]), optional_of(saved[3]),
                               saved_incidence(ctx), needs);
  return {gx, gmaps, gq, gweight};
}

struct SheafSignless {
  static constexpr char kSchema[] =
      "sheaf_signless(Tensor x, Tensor maps, Tensor? q, Tensor? weight, Incidence incidence) -> Tensor";

  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& signal, const at::Tensor& given_maps,
                            const OptionalTensor& q, const OptionalTensor& weight,
                            const Incidence& incidence) {
    check_arguments(signal, given_maps, q, weight, incidence);
    const at::Tensor x = signal.contiguous();
    const at::Tensor maps = given_maps.contiguous();
    const OptionalTensor w = contiguous(weight);
    const auto [y, h] = signless_kernel(x, maps, q, w, incidence);
    if (ctx != nullptr) save_arguments(ctx, x, maps, q, w, h, {}, incidence);
    return y;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    return signless_gradients(ctx, ctx->get_saved_variables(), grads[0].contiguous());
  }
};

struct SheafRectified {
  static constexpr char kSchema[] =
      "sheaf_rectified(Tensor x, Tensor maps, Tensor? q, Tensor? weight, Tensor? skip, float p, "
      "Tensor? step_key, int call, Tensor? rows, Incidence incidence) -> Tensor";

  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& signal, const at::Tensor& given_maps,
                            const OptionalTensor& q, const OptionalTensor& weight,
                            const OptionalTensor& given_skip, double p, const OptionalTensor& step_key,
                            std::int64_t number, const OptionalTensor& rows, const Incidence& incidence) {
    check_arguments(signal, given_maps, q, weight, incidence);
    const MaskKey key{value_or_undefined(step_key), number, value_or_undefined(rows)};
    check_rectify(signal, given_skip, p, key);
    const at::Tensor x = signal.contiguous();
    const at::Tensor maps = given_maps.contiguous();
    const OptionalTensor w = contiguous(weight);
    const OptionalTensor skip = contiguous(given_skip);
    at::Tensor y;
    at::Tensor h;
    if (rectified_kernel.exists_on(x.device().type())) {
      std::tie(y, h) = rectified_kernel(x, maps, q, w, skip, p, key, incidence);
    } else {
      std::tie(y, h) = signless_kernel(x, maps, q, w, incidence);
      y = rectify_kernel(y, skip, p, key);
    }
    if (ctx != nullptr) {
      save_arguments(ctx, x, maps, q, w, h, y, incidence);
      ctx->saved_data["p"] = p;
      ctx->saved_data["skips"] = skip.has_value();
    }
    return y;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor g =
        rectify_gradient_kernel(grads[0].contiguous(), saved[5], ctx->saved_data["p"].toDouble());
    variable_list gradients = signless_gradients(ctx, saved, g);
    gradients.push_back(ctx->saved_data["skips"].toBool() ? g : at::Tensor());
    return gradients;
  }
};

TORCH_LIBRARY_FRAGMENT(dshn, m) {
  define<SheafSignless>(m);
  define<SheafRectified>(m);
}

}  // namespace

at::Tensor sheaf_signless(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                          const OptionalTensor& weight, const Incidence& incidence) {
  return call<SheafSignless>(x, maps, q, weight, incidence);
}

at::Tensor sheaf_rectified(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                           const OptionalTensor& weight, const OptionalTensor& skip, double p,
                           const MaskKey& key, const Incidence& incidence) {
  return call<SheafRectified>(x, maps, q, weight, skip, p, optional_of(key.step_key), key.call,
                              optional_of(key.rows), incidence);
}

}  // namespace dshn::ops
