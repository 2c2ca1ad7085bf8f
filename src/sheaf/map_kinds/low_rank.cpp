// A B^T + diag(c): p holds A (d x r, by rows), B (d x r, by rows) and c.
#include <ATen/ATen.h>
#include <fmt/format.h>

#include "dshn/base/error.hpp"
#include "dshn/sheaf/maps.hpp"

namespace dshn::sheaf {
namespace {

std::int64_t length(std::int64_t d, std::int64_t rank) {
  if (rank < 1 || rank > d) throw UsageError(fmt::format("rank: expected 1 to d = {}, got {}", d, rank));
  return 2 * d * rank + d;
}

at::Tensor product_and_diagonal(const at::Tensor& parameters, std::int64_t d, std::int64_t rank) {
  const std::int64_t factor = d * rank;
  const at::Tensor a = parameters.slice(1, 0, factor).reshape({parameters.size(0), d, rank});
  const at::Tensor b = parameters.slice(1, factor, 2 * factor).reshape({parameters.size(0), d, rank});
  const at::Tensor c = parameters.slice(1, 2 * factor, 2 * factor + d);
  return at::bmm(a, b.transpose(1, 2)) + at::diag_embed(c);
}

}  // namespace

MapKind low_rank_maps() {
  return {.name = "low-rank", .length = length, .maps = product_and_diagonal};
}

}  // namespace dshn::sheaf
