#include "dshn/ops/dropout.hpp"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "ops/checks.hpp"
#include "ops/dispatch.hpp"
#include "ops/dropout_hash.hpp"

namespace dshn::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;
using DropoutSignature = at::Tensor(const at::Tensor&, double, const at::Tensor&, std::int64_t, std::int64_t,
                                    std::int64_t);

at::Tensor call_dropout(const at::Tensor& x, double p, const at::Tensor& step_key, std::int64_t call,
                        std::int64_t planes, std::int64_t channels) {
  static const auto op = registered<DropoutSignature>("dshn::dropout");
  return op.call(x, p, step_key, call, planes, channels);
}

/// The mask is linear and its own transpose: backward applies it again.
class DropoutFunction : public torch::autograd::Function<DropoutFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& x, double p, const Variable& step_key,
                          std::int64_t call, std::int64_t planes, std::int64_t channels) {
    at::AutoDispatchBelowADInplaceOrView guard;
    ctx->save_for_backward({step_key});
    ctx->saved_data["p"] = p;
    ctx->saved_data["call"] = call;
    ctx->saved_data["planes"] = planes;
    ctx->saved_data["channels"] = channels;
    return call_dropout(x, p, step_key, call, planes, channels);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_double_backward("dropout");
    auto& saved = ctx->saved_data;
    return {call_dropout(grads[0].contiguous(), saved["p"].toDouble(), ctx->get_saved_variables()[0],
                         saved["call"].toInt(), saved["planes"].toInt(), saved["channels"].toInt()),
            Variable(),
            Variable(),
            Variable(),
            Variable(),
            Variable()};
  }
};

at::Tensor autograd_dropout(const at::Tensor& x, double p, const at::Tensor& step_key, std::int64_t call,
                            std::int64_t planes, std::int64_t channels) {
  check_mask(p, step_key, x);
  check(planes > 0 && channels > 0 && x.numel() % (planes * channels) == 0, "x",
        "a multiple of planes x channels = " + std::to_string(planes * channels) + " entries", describe(x));
  return DropoutFunction::apply(x.contiguous(), p, step_key, call, planes, channels);
}

TORCH_LIBRARY_IMPL(dshn, Autograd, m) {
  m.impl("dropout", autograd_dropout);
}

}  // namespace

std::int64_t step_key(std::uint64_t seed, std::uint64_t step) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
  return static_cast<std::int64_t>(mix(mix(seed + kGolden) + step * kGolden));
}

at::Tensor dropout(const at::Tensor& x, double p, const MaskKey& key, std::int64_t planes,
                   std::int64_t channels) {
  return call_dropout(x, p, key.step_key, key.call, planes, channels);
}

at::Tensor dropout_at(const at::Tensor& values, const at::Tensor& numbers, double p, const MaskKey& key) {
  check_mask(p, key.step_key, values);
  check(values.dim() == 1 && values.is_contiguous(), "values", "[k]", describe(values));
  check(numbers.sizes() == values.sizes() && numbers.scalar_type() == at::kLong && numbers.is_contiguous() &&
            numbers.device() == values.device(),
        "numbers", "a Long for each value", describe(numbers));
  using Signature = at::Tensor(const at::Tensor&, const at::Tensor&, double, const at::Tensor&, std::int64_t);
  static const auto op = registered<Signature>("dshn::dropout_at");
  return op.call(values, numbers, p, key.step_key, key.call);
}

}  // namespace dshn::ops
