#include "dshn/nn/linear.hpp"

#include <torch/torch.h>

#include <algorithm>

#include "dshn/ops/parallel_pieces.hpp"

namespace dshn::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

/// Multiplications that are worth a thread. A BLAS sums in an order that depends on how many threads it has, so
/// products are cut here into pieces that depend on their sizes alone, and each piece is multiplied by one.
constexpr std::int64_t kPieceWork = 1 << 21;

/// Calls multiply(piece) for all pieces in parallel, outside of autograd.
template <typename Multiply>
void for_each_piece(std::int64_t pieces, const Multiply& multiply) {
  ops::cpu::parallel_pieces(pieces, [&](std::int64_t begin, std::int64_t end) {
    const at::NoGradGuard no_grad;
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    for (std::int64_t piece = begin; piece < end; ++piece) multiply(piece);
  });
}

/// A B: a piece is some rows of A.
at::Tensor product(const at::Tensor& a, const at::Tensor& b) {
  at::Tensor result = at::empty({a.size(0), b.size(1)}, a.options());
  const std::int64_t row_work = std::max<std::int64_t>(1, a.size(1) * b.size(1));
  const std::int64_t rows = std::clamp<std::int64_t>(kPieceWork / row_work, 16, 4096);
  for_each_piece((a.size(0) + rows - 1) / rows, [&](std::int64_t piece) {
    const std::int64_t count = std::min(rows, a.size(0) - piece * rows);
    at::Tensor part = result.narrow(0, piece * rows, count);
    at::mm_out(part, a.narrow(0, piece * rows, count), b);
  });
  return result;
}

/// A^T B for many rows: a piece is some rows of both, and the pieces' products are summed in their order.
at::Tensor transposed_product(const at::Tensor& a, const at::Tensor& b) {
  constexpr std::int64_t kMostPieces = 32;
  const std::int64_t work = a.numel() * b.size(1);
  const std::int64_t pieces = std::clamp<std::int64_t>(work / kPieceWork, 1, kMostPieces);
  const std::int64_t rows = (a.size(0) + pieces - 1) / pieces;
  at::Tensor parts = at::zeros({pieces, a.size(1), b.size(1)}, a.options());
  for_each_piece(pieces, [&](std::int64_t piece) {
    const std::int64_t begin = std::min(piece * rows, a.size(0));
    const std::int64_t count = std::min(rows, a.size(0) - begin);
    at::Tensor part = parts[piece];
    if (count > 0) at::mm_out(part, a.narrow(0, begin, count).t(), b.narrow(0, begin, count));
  });
  at::Tensor sum = parts[0];
  for (std::int64_t piece = 1; piece < pieces; ++piece) sum.add_(parts[piece]);
  return sum;
}

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
            ctx->needs_input_grad(1) ? transposed_product(g, saved[0]) : Variable()};
  }
};

}  // namespace

at::Tensor linear_rows(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  if (x.is_cuda()) return linear_on_device(x, weight, bias);
  const at::Tensor y = LinearFunction::apply(x, weight);
  return bias.defined() ? y + bias : y;
}

}  // namespace dshn::nn
