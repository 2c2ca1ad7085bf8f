#include "dshn/nn/linear.hpp"

#include <torch/torch.h>

#include "dshn/ops/products.hpp"

namespace dshn::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

using ops::cpu::adjoint_product;
using ops::cpu::product;

/// A^T B for tall, narrow matrices. cuBLAS gives such a product to a single block of threads, which reads all
/// rows one after the other: here many blocks take some rows each.
at::Tensor tall_product(const at::Tensor& a, const at::Tensor& b) {
  constexpr std::int64_t kRows = 128;
  const std::int64_t pieces = a.size(0) / kRows;
  if (pieces < 2) return at::mm(a.t(), b);
  const auto cut = [&](const at::Tensor& rows) {
    return rows.narrow(0, 0, pieces * kRows).view({pieces, kRows, rows.size(1)});
  };
  at::Tensor sum = at::bmm(cut(a).transpose(1, 2), cut(b)).sum(0);
  const std::int64_t left = a.size(0) - pieces * kRows;
  if (left > 0) sum.addmm_(a.narrow(0, pieces * kRows, left).t(), b.narrow(0, pieces * kRows, left));
  return sum;
}

class NarrowLinearFunction : public torch::autograd::Function<NarrowLinearFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& x, const Variable& weight) {
    ctx->save_for_backward({x, weight});
    return at::mm(x, weight.t());
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor g = grads[0].contiguous();
    return {ctx->needs_input_grad(0) ? at::mm(g, saved[1]) : Variable(),
            ctx->needs_input_grad(1) ? tall_product(g, saved[0].contiguous()) : Variable()};
  }
};

/// On a GPU: one order of summation per shape, no threads of ours, and the bias is added where the product is
/// stored.
at::Tensor linear_on_device(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  constexpr std::int64_t kNarrow = 32;
  if (bias.defined()) return at::addmm(bias, x, weight.t());
  return weight.size(0) <= kNarrow ? NarrowLinearFunction::apply(x, weight) : at::mm(x, weight.t());
}

class LinearFunction : public torch::autograd::Function<LinearFunction> {
 public:
  static Variable forward(AutogradContext* ctx, const Variable& x, const Variable& weight) {
    ctx->save_for_backward({x, weight});
    return product(x, weight.t());
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor& g = grads[0];
    return {ctx->needs_input_grad(0) ? product(g, saved[1]) : Variable(),
            ctx->needs_input_grad(1) ? adjoint_product(g, saved[0]) : Variable()};
  }
};

}  // namespace

at::Tensor linear_rows(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  if (x.is_cuda()) return linear_on_device(x, weight, bias);
  const at::Tensor y = LinearFunction::apply(x, weight);
  return bias.defined() ? y + bias : y;
}

}  // namespace dshn::nn
