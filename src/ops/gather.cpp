// Checks, dispatch and derivatives of the sums, means and maxima of rows at the other end of each incidence.
#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "ops/checks.hpp"
#include "ops/dispatch.hpp"
#include "ops/segment_calls.hpp"

namespace dshn::ops {

std::tuple<at::Tensor, at::Tensor> call_gather(const at::Tensor& x, const OptionalTensor& coefficients,
                                               Over over, Reduce reduce, at::TensorList incidence) {
  using Signature = std::tuple<at::Tensor, at::Tensor>(const at::Tensor&, const OptionalTensor&, bool,
                                                       std::int64_t, at::TensorList);
  static const auto op = registered<Signature>("dshn::_gather");
  return op.call(x, coefficients, over == Over::nodes, static_cast<std::int64_t>(reduce), incidence);
}

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

at::Tensor call_coefficients_backward(const at::Tensor& gy, const at::Tensor& x, std::int64_t heads,
                                      Over over, at::TensorList incidence) {
  using Signature = at::Tensor(const at::Tensor&, const at::Tensor&, std::int64_t, bool, at::TensorList);
  static const auto op = registered<Signature>("dshn::_gather_coefficients_backward");
  return op.call(gy, x, heads, over == Over::nodes, incidence);
}

at::Tensor call_gather_max_backward(const at::Tensor& gy, const at::Tensor& winner, Over over,
                                    at::TensorList incidence) {
  using Signature = at::Tensor(const at::Tensor&, const at::Tensor&, bool, at::TensorList);
  static const auto op = registered<Signature>("dshn::_gather_max_backward");
  return op.call(gy, winner, over == Over::nodes, incidence);
}

/// x: [rows, c]; coefficients: [nnz, heads].
class GatherFunction : public torch::autograd::Function<GatherFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& x, const OptionalTensor& coefficients,
                          Over over, Reduce reduce, const variable_list& incidence) {
    at::AutoDispatchBelowADInplaceOrView guard;
    const auto [y, winner] = call_gather(x, coefficients, over, reduce, incidence);
    // The rows themselves are needed by the gradient of the coefficients only.
    const bool weighted = coefficients.has_value();
    variable_list saved{weighted ? x : Variable(), value_or_undefined(coefficients), winner};
    saved.insert(saved.end(), incidence.begin(), incidence.end());
    ctx->save_for_backward(saved);
    ctx->saved_data["over"] = static_cast<std::int64_t>(over);
    ctx->saved_data["reduce"] = static_cast<std::int64_t>(reduce);
    return y;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_double_backward("gather");
    const variable_list saved = ctx->get_saved_variables();
    const variable_list incidence(saved.begin() + 3, saved.end());
    const auto over = static_cast<Over>(ctx->saved_data["over"].toInt());
    const auto reduce = static_cast<Reduce>(ctx->saved_data["reduce"].toInt());
    const at::Tensor gy = grads[0].contiguous();
    Variable gx;
    Variable g_coefficients;
    if (ctx->needs_input_grad(0)) gx = signal_gradient(gy, saved, over, reduce, incidence);
    if (saved[1].defined() && ctx->needs_input_grad(1))
      g_coefficients = call_coefficients_backward(gy, saved[0], saved[1].size(1), over, incidence);
    return {gx, g_coefficients, Variable(), Variable(), Variable()};
  }

 private:
  /// A sum over one view is transposed by the sum over the other.
  static Variable signal_gradient(const at::Tensor& gy, const variable_list& saved, Over over, Reduce reduce,
                                  const variable_list& incidence) {
    if (reduce == Reduce::max) return call_gather_max_backward(gy, saved[2], over, incidence);
    const at::Tensor shares = reduce == Reduce::mean ? divided_by_size(gy, over, Incidence(incidence)) : gy;
    return std::get<0>(call_gather(shares, optional_of(saved[1]), opposite(over), Reduce::sum, incidence));
  }
};

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

template <Reduce reduce, Autograd autograd>
at::Tensor gather_as(const at::Tensor& x, const OptionalTensor& coefficients, const std::string& over_text,
                     at::TensorList tensors) {
  const Incidence incidence(tensors.vec());
  const Over over = over_of(over_text);
  check_rows(x, "x", rows_over(incidence, opposite(over)), incidence);
  OptionalTensor by_head;
  if (coefficients.has_value()) {
    check_coefficients(*coefficients, x, incidence);
    by_head = flat(*coefficients);
  }
  const at::Tensor y = autograd == Autograd::on
                           ? GatherFunction::apply(flat(x), by_head, over, reduce, tensors.vec())
                           : std::get<0>(call_gather(flat(x), by_head, over, reduce, tensors));
  return shaped_like(y, x);
}

template <Reduce reduce, Autograd autograd>
at::Tensor plain_gather_as(const at::Tensor& x, std::string over, at::TensorList incidence) {
  return gather_as<reduce, autograd>(x, {}, over, incidence);
}

template <Autograd autograd>
at::Tensor weighted_gather_as(const at::Tensor& x, const OptionalTensor& coefficients, std::string over,
                              at::TensorList incidence) {
  return gather_as<Reduce::sum, autograd>(x, coefficients, over, incidence);
}

template <Autograd autograd>
void implement_gathers(torch::Library& m) {
  m.impl("gather_sum", weighted_gather_as<autograd>);
  m.impl("gather_mean", plain_gather_as<Reduce::mean, autograd>);
  m.impl("gather_max", plain_gather_as<Reduce::max, autograd>);
}

TORCH_LIBRARY_IMPL(dshn, Autograd, m) {
  implement_gathers<Autograd::on>(m);
}
TORCH_LIBRARY_IMPL(dshn, CompositeExplicitAutograd, m) {
  implement_gathers<Autograd::off>(m);
}

using SumSignature = at::Tensor(const at::Tensor&, const OptionalTensor&, std::string, at::TensorList);
using OtherSignature = at::Tensor(const at::Tensor&, std::string, at::TensorList);

at::Tensor call_sum(const at::Tensor& x, const OptionalTensor& coefficients, Over over,
                    const Incidence& incidence) {
  static const auto op = registered<SumSignature>("dshn::gather_sum");
  return op.call(x, coefficients, text_of(over), incidence.tensors());
}

}  // namespace

at::Tensor gather_sum(const at::Tensor& x, Over over, const Incidence& incidence) {
  return call_sum(x, {}, over, incidence);
}

at::Tensor gather_sum(const at::Tensor& x, const at::Tensor& coefficients, Over over,
                      const Incidence& incidence) {
  return call_sum(x, coefficients, over, incidence);
}

at::Tensor gather_mean(const at::Tensor& x, Over over, const Incidence& incidence) {
  static const auto op = registered<OtherSignature>("dshn::gather_mean");
  return op.call(x, text_of(over), incidence.tensors());
}

at::Tensor gather_max(const at::Tensor& x, Over over, const Incidence& incidence) {
  static const auto op = registered<OtherSignature>("dshn::gather_max");
  return op.call(x, text_of(over), incidence.tensors());
}

}  // namespace dshn::ops
