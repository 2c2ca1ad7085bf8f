// Checks, dispatch and the derivative of y = Q x, alone or with the end of a layer. The loops are in cpu/ and
// cuda/.
#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <array>
#include <cmath>
#include <optional>

#include "dshn/ops/sheaf.hpp"
#include "ops/checks.hpp"
#include "ops/dispatch.hpp"
#include "ops/rectify_calls.hpp"

namespace dshn::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;
using TensorPair = std::tuple<at::Tensor, at::Tensor>;
using TensorQuad = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>;

TensorPair call_forward(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                        const OptionalTensor& weight, at::TensorList incidence) {
  using Signature = TensorPair(const at::Tensor&, const at::Tensor&, const OptionalTensor&,
                               const OptionalTensor&, at::TensorList);
  static const auto op = registered<Signature>("dshn::_sheaf_signless");
  return op.call(x, maps, q, weight, incidence);
}

TensorQuad call_backward(const at::Tensor& gy, const at::Tensor& x, const at::Tensor& h,
                         const at::Tensor& maps, const OptionalTensor& q, const OptionalTensor& weight,
                         at::TensorList incidence, std::array<bool, 4> needs) {
  using Signature =
      TensorQuad(const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
                 const OptionalTensor&, const OptionalTensor&, at::TensorList, std::array<bool, 4>);
  static const auto op = registered<Signature>("dshn::_sheaf_signless_backward");
  return op.call(gy, x, h, maps, q, weight, incidence, needs);
}

void check_arguments(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                     const OptionalTensor& weight, const Incidence& incidence) {
  check_incidence(incidence);
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
  check(q->numel() == 1 && q->is_floating_point(), "q", "a floating-point scalar", describe(*q));
  check(x.size(2) == 2, "x", "2 planes (re, im), because there is a charge q", describe(x));
  if (q->device().is_cpu()) {
    const double value = q->item<double>();
    check(std::isfinite(value), "q", "a finite charge", value);
  }
}

using RectifiedSignature = TensorPair(const at::Tensor&, const at::Tensor&, const OptionalTensor&,
                                      const OptionalTensor&, const OptionalTensor&, double,
                                      const OptionalTensor&, std::int64_t, at::TensorList);

/// What ends a layer, but for the skip.
struct LayerEnd {
  double p;
  OptionalTensor step_key;
  std::int64_t call;
};

TensorPair call_rectified(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                          const OptionalTensor& weight, const OptionalTensor& skip, const LayerEnd& end,
                          at::TensorList incidence) {
  static const auto op = registered<RectifiedSignature>("dshn::_sheaf_rectified");
  return op.call(x, maps, q, weight, skip, end.p, end.step_key, end.call, incidence);
}

/// Q x, or with an end rectify(Q x + skip).
class SignlessFunction : public torch::autograd::Function<SignlessFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& x, const Variable& maps,
                          const OptionalTensor& q, const OptionalTensor& weight, const OptionalTensor& skip,
                          const std::optional<LayerEnd>& end, const variable_list& incidence) {
    at::AutoDispatchBelowADInplaceOrView guard;
    const auto [y, h] = end.has_value() ? call_rectified(x, maps, q, weight, skip, *end, incidence)
                                        : call_forward(x, maps, q, weight, incidence);
    variable_list saved{
        x, maps, value_or_undefined(q), value_or_undefined(weight), h, end.has_value() ? y : at::Tensor()};
    saved.insert(saved.end(), incidence.begin(), incidence.end());
    ctx->save_for_backward(saved);
    if (end.has_value()) ctx->saved_data["p"] = end->p;
    ctx->saved_data["skips"] = skip.has_value();
    return y;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_double_backward("sheaf_signless");
    const variable_list saved = ctx->get_saved_variables();
    const variable_list incidence(saved.begin() + 6, saved.end());
    at::Tensor g = grads[0].contiguous();
    if (saved[5].defined()) g = rectify_gradient(g, saved[5], ctx->saved_data["p"].toDouble());
    // Autograd numbers only the tensors that were given: an absent q moves the weight up.
    const bool has_q = saved[2].defined();
    const bool has_weight = saved[3].defined();
    const std::array<bool, 4> needs{ctx->needs_input_grad(0), ctx->needs_input_grad(1),
                                    has_q && ctx->needs_input_grad(2),
                                    has_weight && ctx->needs_input_grad(has_q ? 3 : 2)};
    const auto [gx, gmaps, gq, gweight] = call_backward(
        g, saved[0], saved[4], saved[1], optional_of(saved[2]), optional_of(saved[3]), incidence, needs);
    return {gx,         gmaps,     gq, gweight, ctx->saved_data["skips"].toBool() ? g : Variable(),
            Variable(), Variable()};
  }
};

at::Tensor autograd_signless(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                             const OptionalTensor& weight, at::TensorList incidence) {
  check_arguments(x, maps, q, weight, Incidence(incidence.vec()));
  return SignlessFunction::apply(x.contiguous(), maps.contiguous(), q, contiguous(weight), OptionalTensor(),
                                 std::optional<LayerEnd>(), incidence.vec());
}

/// Without autograd (inference mode): nothing is kept.
at::Tensor plain_signless(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                          const OptionalTensor& weight, at::TensorList incidence) {
  check_arguments(x, maps, q, weight, Incidence(incidence.vec()));
  return std::get<0>(call_forward(x.contiguous(), maps.contiguous(), q, contiguous(weight), incidence));
}

at::Tensor autograd_rectified(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                              const OptionalTensor& weight, const OptionalTensor& skip, double p,
                              const OptionalTensor& step_key, std::int64_t call, at::TensorList incidence) {
  check_arguments(x, maps, q, weight, Incidence(incidence.vec()));
  check_rectify(x, skip, p, step_key);
  return SignlessFunction::apply(x.contiguous(), maps.contiguous(), q, contiguous(weight), contiguous(skip),
                                 std::optional<LayerEnd>(LayerEnd{p, step_key, call}), incidence.vec());
}

at::Tensor plain_rectified(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                           const OptionalTensor& weight, const OptionalTensor& skip, double p,
                           const OptionalTensor& step_key, std::int64_t call, at::TensorList incidence) {
  check_arguments(x, maps, q, weight, Incidence(incidence.vec()));
  check_rectify(x, skip, p, step_key);
  return std::get<0>(call_rectified(x.contiguous(), maps.contiguous(), q, contiguous(weight),
                                    contiguous(skip), {p, step_key, call}, incidence));
}

/// Two passes, where a device has no kernel for one.
TensorPair composite_rectified(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                               const OptionalTensor& weight, const OptionalTensor& skip, double p,
                               const OptionalTensor& step_key, std::int64_t call, at::TensorList incidence) {
  const auto [y, h] = call_forward(x, maps, q, weight, incidence);
  return {call_rectify("dshn::_rectify", y, skip, p, step_key, call), h};
}

TORCH_LIBRARY_IMPL(dshn, Autograd, m) {
  m.impl("sheaf_signless", autograd_signless);
  m.impl("sheaf_rectified", autograd_rectified);
}
TORCH_LIBRARY_IMPL(dshn, CompositeExplicitAutograd, m) {
  m.impl("sheaf_signless", plain_signless);
  m.impl("sheaf_rectified", plain_rectified);
  m.impl("_sheaf_rectified", composite_rectified);
}

}  // namespace

at::Tensor sheaf_signless(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                          const OptionalTensor& weight, const Incidence& incidence) {
  using Signature = at::Tensor(const at::Tensor&, const at::Tensor&, const OptionalTensor&,
                               const OptionalTensor&, at::TensorList);
  static const auto op = registered<Signature>("dshn::sheaf_signless");
  return op.call(x, maps, q, weight, incidence.tensors());
}

at::Tensor sheaf_rectified(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                           const OptionalTensor& weight, const OptionalTensor& skip, double p,
                           const MaskKey& key, const Incidence& incidence) {
  using Signature =
      at::Tensor(const at::Tensor&, const at::Tensor&, const OptionalTensor&, const OptionalTensor&,
                 const OptionalTensor&, double, const OptionalTensor&, std::int64_t, at::TensorList);
  static const auto op = registered<Signature>("dshn::sheaf_rectified");
  return op.call(x, maps, q, weight, skip, p, optional_of(key.step_key), key.call, incidence.tensors());
}

}  // namespace dshn::ops
