#include "dshn/ops/dropout.hpp"

#include <ATen/ATen.h>

#include "ops/dropout_hash.hpp"
#include "ops/operator.hpp"

namespace dshn::ops {
namespace {

struct Dropout {
  static constexpr char kSchema[] =
      "dropout(Tensor x, float p, Tensor step_key, int call, int planes, int channels, Tensor? rows=None) "
      "-> Tensor";

  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, double p, const at::Tensor& step_key,
                            std::int64_t number, std::int64_t planes, std::int64_t channels,
                            const OptionalTensor& rows) {
    const MaskKey key{step_key, number, value_or_undefined(rows)};
    check_mask(p, key, x);
    check(planes > 0 && channels > 0 && x.numel() % planes == 0 && x.numel() / planes % channels == 0, "x",
          "a multiple of " + std::to_string(planes) + " planes x " + std::to_string(channels) +
              " channels entries",
          describe(x));
    if (ctx != nullptr) {
      ctx->save_for_backward({step_key, key.rows});
      ctx->saved_data["p"] = p;
      ctx->saved_data["call"] = number;
      ctx->saved_data["planes"] = planes;
      ctx->saved_data["channels"] = channels;
    }
    return dropout_kernel(x.contiguous(), p, key, planes, channels);
  }

  /// The mask is linear and its own transpose: backward applies it again.
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    auto& saved = ctx->saved_data;
    const variable_list tensors = ctx->get_saved_variables();
    const MaskKey key{tensors[0], saved["call"].toInt(), tensors[1]};
    return {dropout_kernel(grads[0].contiguous(), saved["p"].toDouble(), key, saved["planes"].toInt(),
                           saved["channels"].toInt())};
  }
};

struct DropoutAt {
  static constexpr char kSchema[] =
      "dropout_at(Tensor values, Tensor numbers, float p, Tensor step_key, int call) -> Tensor";

  static at::Tensor forward(AutogradContext*, const at::Tensor& values, const at::Tensor& numbers, double p,
                            const at::Tensor& step_key, std::int64_t number) {
    check_mask(p, {step_key, number}, values);
    check(values.dim() == 1, "values", "[k]", describe(values));
    check(numbers.sizes() == values.sizes() && numbers.scalar_type() == at::kLong &&
              numbers.device() == values.device(),
          "numbers", "a Long for each value", describe(numbers));
    return dropout_at_kernel(values.contiguous(), numbers.contiguous(), p, {step_key, number});
  }
};

TORCH_LIBRARY_FRAGMENT(dshn, m) {
  define<Dropout>(m);
  define<DropoutAt>(m);
}

}  // namespace

std::int64_t step_key(std::uint64_t seed, std::uint64_t step) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
  return static_cast<std::int64_t>(mix(mix(seed + kGolden) + step * kGolden));
}

MaskKey MaskKey::of_rows(const at::Tensor& numbers) const {
  return {step_key, call, rows.defined() ? rows.index_select(0, numbers) : numbers};
}

at::Tensor dropout(const at::Tensor& x, double p, const MaskKey& key, std::int64_t planes,
                   std::int64_t channels) {
  return call<Dropout>(x, p, key.step_key, key.call, planes, channels, optional_of(key.rows));
}

at::Tensor dropout_at(const at::Tensor& values, const at::Tensor& numbers, double p, const MaskKey& key) {
  return call<DropoutAt>(values, numbers, p, key.step_key, key.call);
}

}  // namespace dshn::ops
