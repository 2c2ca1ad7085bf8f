#include "dshn/ops/products.hpp"

#include <ATen/ATen.h>

#include <algorithm>

#include "dshn/ops/parallel_pieces.hpp"

namespace dshn::ops::cpu {
namespace {

/// Multiplications that are worth a thread.
constexpr std::int64_t kPieceWork = 1 << 21;

/// Calls multiply(piece) for all pieces in parallel, outside of autograd.
template <typename Multiply>
void for_each_piece(std::int64_t pieces, const Multiply& multiply) {
  parallel_pieces(pieces, [&](std::int64_t begin, std::int64_t end) {
    const at::NoGradGuard no_grad;
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    for (std::int64_t piece = begin; piece < end; ++piece) multiply(piece);
  });
}

}  // namespace

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

at::Tensor adjoint_product(const at::Tensor& a, const at::Tensor& b) {
  constexpr std::int64_t kMostPieces = 32;
  const std::int64_t work = a.numel() * b.size(1);
  const std::int64_t pieces = std::clamp<std::int64_t>(work / kPieceWork, 1, kMostPieces);
  const std::int64_t rows = (a.size(0) + pieces - 1) / pieces;
  at::Tensor parts = at::zeros({pieces, a.size(1), b.size(1)}, a.options());
  for_each_piece(pieces, [&](std::int64_t piece) {
    const std::int64_t begin = std::min(piece * rows, a.size(0));
    const std::int64_t count = std::min(rows, a.size(0) - begin);
    at::Tensor part = parts[piece];
    if (count > 0) at::mm_out(part, a.narrow(0, begin, count).mH(), b.narrow(0, begin, count));
  });
  at::Tensor sum = parts[0];
  for (std::int64_t piece = 1; piece < pieces; ++piece) sum.add_(parts[piece]);
  return sum;
}

}  // namespace dshn::ops::cpu
