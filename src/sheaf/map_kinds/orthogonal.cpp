// F = H_0 H_1 ... H_(d-2) with H_k = I - 2 v_k v_k^T / |v_k|^2. v_k is zero above position k, one at k, and
// holds the next d-1-k parameters below, so that |v_k| >= 1 and no parameters are singular. Reaches almost every
// orthogonal matrix of determinant (-1)^(d-1). Only products F_u^T F_v count, and these are rotations either way.
#include <ATen/ATen.h>

#include "dshn/sheaf/maps.hpp"

namespace dshn::sheaf {
namespace {

/// v_k of every map, [nnz, d]: k zeros, a one, then the parameters [begin, begin + d-1-k).
at::Tensor reflection_vectors(const at::Tensor& parameters, std::int64_t d, std::int64_t k,
                              std::int64_t begin) {
  const at::Tensor zeros = at::zeros({parameters.size(0), k}, parameters.options());
  const at::Tensor one = at::ones({parameters.size(0), 1}, parameters.options());
  return at::cat({zeros, one, parameters.slice(1, begin, begin + d - 1 - k)}, 1);
}

at::Tensor householder_product(const at::Tensor& parameters, std::int64_t d) {
  at::Tensor product = at::eye(d, parameters.options()).expand({parameters.size(0), d, d});
  std::int64_t begin = 0;
  for (std::int64_t k = 0; k + 1 < d; ++k) {
    const at::Tensor v = reflection_vectors(parameters, d, k, begin);
    begin += d - 1 - k;
    // product H = product - (2 / |v|^2) (product v) v^T
    const at::Tensor image = at::matmul(product, v.unsqueeze(2));
    const at::Tensor scaled = v * (2 / (v * v).sum(1, true));
    product = product - image * scaled.unsqueeze(1);
  }
  return product.contiguous();
}

}  // namespace

MapKind orthogonal_maps() {
  return {.name = "orthogonal",
          .length = [](std::int64_t d, std::int64_t) { return d * (d - 1) / 2; },
          .maps = [](const at::Tensor& p, std::int64_t d, std::int64_t) { return householder_product(p, d); },
          .orthogonal = true};
}

}  // namespace dshn::sheaf
