#include "sheaf/blocks.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dshn/base/parallel.hpp"

namespace dshn::sheaf::blocks {

at::Tensor multiply(const at::Tensor& blocks, const at::Tensor& x) {
  if (blocks.dim() == 2) return blocks.unsqueeze(2).unsqueeze(3) * x;
  const std::int64_t d = x.size(1);
  const std::int64_t length = x.size(2) * x.size(3);
  const at::Tensor in = x.contiguous();
  at::Tensor out = at::zeros(x.sizes(), at::kDouble);
  const double* matrices = blocks.data_ptr<double>();
  const double* from = in.data_ptr<double>();
  auto* to = out.data_ptr<double>();
  // Not at::bmm, whose order of summation is the BLAS library's affair.
  parallel_for(x.size(0), 256, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first * d; row < last * d; ++row) {
      for (std::int64_t b = 0; b < d; ++b) {
        const double factor = matrices[row * d + b];
        const double* source = from + (row / d * d + b) * length;
        for (std::int64_t c = 0; c < length; ++c) to[row * length + c] += factor * source[c];
      }
    }
  });
  return out;
}

at::Tensor column_products(const at::Tensor& x, const at::Tensor& y) {
  const std::int64_t channels = x.size(3);
  at::Tensor sums = at::zeros({channels}, at::kDouble);
  const at::Tensor products = (x * y).contiguous();
  const double* values = products.data_ptr<double>();
  auto* sum = sums.data_ptr<double>();
  for (std::int64_t at = 0; at < products.numel(); at += channels) {
    for (std::int64_t c = 0; c < channels; ++c) sum[c] += values[at + c];
  }
  return sums;
}

at::Tensor range_projection(const at::Tensor& inverse_sqrt) {
  if (inverse_sqrt.dim() == 2) return (inverse_sqrt > 0).to(at::kDouble);
  if (inverse_sqrt.numel() == 0) return inverse_sqrt;
  // The eigenvalues that were inverted are within a factor 1e10 of each other, so their roots within 1e5,
  // while what was set to zero is zero up to rounding: 1e-8 lies well between.
  constexpr double kNullShare = 1e-8;
  const auto [values, vectors] = at::linalg_eigh(inverse_sqrt, "L");
  const at::Tensor largest = values.amax({1}, true);
  const at::Tensor kept = at::logical_and(values > kNullShare * largest, values > 0).to(at::kDouble);
  return at::bmm(vectors * kept.unsqueeze(1), vectors.transpose(1, 2));
}

bool is_identity(const at::Tensor& projections) {
  if (projections.numel() == 0) return true;
  if (projections.dim() == 2) return (projections == 1).all().item<bool>();
  // Traces of projections are integers.
  const at::Tensor ranks = projections.diagonal(0, 1, 2).sum(1);
  return (ranks > static_cast<double>(projections.size(1)) - 0.5).all().item<bool>();
}

double largest_eigenvalue(const at::Tensor& blocks) {
  if (blocks.numel() == 0) return 0;
  if (blocks.dim() == 2) return blocks.max().item<double>();
  return at::linalg_eigvalsh(blocks, "L").max().item<double>();
}

std::string describe(const at::Tensor& tensor) {
  if (!tensor.defined()) return "nothing";
  return fmt::format("{} [{}] on {}", c10::toString(tensor.scalar_type()), fmt::join(tensor.sizes(), ", "),
                     tensor.device().str());
}

}  // namespace dshn::sheaf::blocks
