#include "sheaf/factors.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

#include "dshn/ops/parallel_pieces.hpp"

namespace dshn::sheaf {
namespace {

/// Rows of a piece that fit into a core's cache.
constexpr std::int64_t kPieceRows = 2048;

QR qr_of(const at::Tensor& a) {
  const auto [q, r] = at::linalg_qr(a);
  return {q, r};
}

/// A loop of one piece keeps LAPACK to one thread.
template <typename Work>
void on_one_thread(const Work& work) {
  ops::cpu::parallel_pieces(1, [&](std::int64_t, std::int64_t) { work(); });
}

}  // namespace

QR tall_qr(const at::Tensor& a) {
  const std::int64_t rows = std::max(kPieceRows, 4 * a.size(1));
  const std::int64_t pieces = (a.size(0) + rows - 1) / rows;
  std::vector<QR> parts(pieces);
  ops::cpu::parallel_pieces(pieces, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t p = begin; p < end; ++p)
      parts[p] = qr_of(a.narrow(0, p * rows, std::min(rows, a.size(0) - p * rows)));
  });
  std::vector<at::Tensor> stacked;
  for (const QR& part : parts) stacked.push_back(part.r);
  QR top;
  on_one_thread([&] { top = qr_of(at::cat(stacked)); });
  const at::Tensor q = at::empty(a.sizes(), a.options());
  ops::cpu::parallel_pieces(pieces, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t p = begin; p < end; ++p) {
      // All factors r but the last one have a row for each column.
      at::Tensor part = q.narrow(0, p * rows, parts[p].q.size(0));
      at::mm_out(part, parts[p].q, top.q.narrow(0, p * a.size(1), parts[p].r.size(0)));
    }
  });
  return {q, top.r};
}

Eigensystem hermitian_eigen(const at::Tensor& a) {
  Eigensystem found;
  on_one_thread([&] {
    const auto [values, vectors] = at::linalg_eigh(a, "U");
    found = {values.flip({0}), vectors.flip({1})};
  });
  return found;
}

}  // namespace dshn::sheaf
