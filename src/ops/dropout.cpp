#include "dshn/ops/dropout.hpp"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "ops/checks.hpp"
#include "ops/dispatch.hpp"

namespace dshn::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;
using DropoutSignature = at::Tensor(const at::Tensor&, double, std::int64_t, std::int64_t, std::int64_t);

at::Tensor call(const at::Tensor& x, double p, std::int64_t key, std::int64_t planes, std::int64_t channels) {
  static const auto op = registered<DropoutSignature>("dshn::dropout");
  return op.call(x, p, key, planes, channels);
}

/// The mask is linear and its own transpose: backward applies it again.
class DropoutFunction : public torch::autograd::Function<DropoutFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& x, double p, std::int64_t key,
                          std::int64_t planes, std::int64_t channels) {
    at::AutoDispatchBelowADInplaceOrView guard;
    ctx->saved_data["p"] = p;
    ctx->saved_data["key"] = key;
    ctx->saved_data["planes"] = planes;
    ctx->saved_data["channels"] = channels;
    return call(x, p, key, planes, channels);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    refuse_double_backward("dropout");
    auto& saved = ctx->saved_data;
    return {call(grads[0].contiguous(), saved["p"].toDouble(), saved["key"].toInt(), saved["planes"].toInt(),
                 saved["channels"].toInt()),
            Variable(), Variable(), Variable(), Variable()};
  }
};

at::Tensor autograd_dropout(const at::Tensor& x, double p, std::int64_t key, std::int64_t planes,
                            std::int64_t channels) {
  check(p >= 0 && p < 1, "p", "a probability in [0, 1)", p);
  check(planes > 0 && channels > 0 && x.numel() % (planes * channels) == 0, "x",
        "a multiple of planes x channels = " + std::to_string(planes * channels) + " entries", describe(x));
  return DropoutFunction::apply(x.contiguous(), p, key, planes, channels);
}

TORCH_LIBRARY_IMPL(dshn, Autograd, m) {
  m.impl("dropout", autograd_dropout);
}

}  // namespace

at::Tensor dropout(const at::Tensor& x, double p, std::int64_t key, std::int64_t planes,
                   std::int64_t channels) {
  return call(x, p, key, planes, channels);
}

}  // namespace dshn::ops
