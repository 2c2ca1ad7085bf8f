// Node degree blocks D_u = sum_e w_e F^T F, their inverse square roots, and F_ue N_u, all in float64 per
// node.
#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <torch/library.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "dshn/ops/incidence.hpp"
#include "dshn/ops/optional.hpp"
#include "ops/cpu/parallel_rows.hpp"
#include "ops/symmetric_eigen.hpp"

namespace dshn::ops::cpu {
namespace {

using TensorPair = std::tuple<at::Tensor, at::Tensor>;
using TensorTriple = std::tuple<at::Tensor, at::Tensor, at::Tensor>;

/// A node's incidences with the maps they carry. The block of a scaling map is its diagonal.
template <typename T>
struct NodeMaps {
  const std::int64_t* ptr;
  const std::int32_t* edge;
  const std::int64_t* position;
  const T* maps;
  const T* weight;  // null: 1
  std::int64_t d;
  bool general;

  NodeMaps(const Incidence& in, const at::Tensor& given, const OptionalTensor& w)
      : ptr(in.by_node.ptr.data_ptr<std::int64_t>()),
        edge(in.by_node.index.data_ptr<std::int32_t>()),
        position(in.by_node.position.data_ptr<std::int64_t>()),
        maps(given.data_ptr<T>()),
        weight(w.has_value() ? w->data_ptr<T>() : nullptr),
        d(given.size(1)),
        general(given.dim() == 3) {}

  std::int64_t size() const { return general ? d * d : d; }
  const T* map(std::int64_t entry) const { return maps + position[entry] * size(); }
  double weight_of(std::int64_t entry) const {
    return weight == nullptr ? 1.0 : static_cast<double>(weight[edge[entry]]);
  }
};

std::vector<std::int64_t> block_shape(const at::Tensor& maps, std::int64_t nodes) {
  std::vector<std::int64_t> shape = maps.sizes().vec();
  shape[0] = nodes;
  return shape;
}

at::Tensor degree_blocks(const at::Tensor& maps, const OptionalTensor& weight, at::TensorList tensors) {
  const Incidence incidence(tensors.vec());
  const at::Tensor result =
      at::zeros(block_shape(maps, incidence.nodes()), maps.options().dtype(at::kDouble));
  double* out = result.data_ptr<double>();
  AT_DISPATCH_FLOATING_TYPES(maps.scalar_type(), "degree_blocks", [&] {
    const NodeMaps<scalar_t> in(incidence, maps, weight);
    const std::int64_t d = in.d;
    parallel_rows(in.ptr, incidence.nodes(), in.size() * (in.general ? d : 1),
                  [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t u = begin; u < end; ++u) {
                      double* block = out + u * in.size();
                      for (std::int64_t i = in.ptr[u]; i < in.ptr[u + 1]; ++i) {
                        const scalar_t* f = in.map(i);
                        const double w = in.weight_of(i);
                        if (!in.general) {
                          for (std::int64_t k = 0; k < d; ++k) block[k] += w * double(f[k]) * double(f[k]);
                          continue;
                        }
                        for (std::int64_t k = 0; k < d; ++k) {
                          for (std::int64_t a = 0; a < d; ++a) {
                            const double fka = w * double(f[k * d + a]);
                            for (std::int64_t b = 0; b < d; ++b)
                              block[a * d + b] += fka * double(f[k * d + b]);
                          }
                        }
                      }
                    }
                  });
  });
  return result;
}

/// gF_ue = w_e F_ue (gD + gD^T), gw_e = <F^T F, gD> summed over the members of e.
TensorPair degree_blocks_backward(const at::Tensor& gd, const at::Tensor& maps, const OptionalTensor& weight,
                                  at::TensorList tensors) {
  const Incidence incidence(tensors.vec());
  const at::Tensor gmaps = at::empty_like(maps);
  const at::Tensor per_incidence = at::empty({incidence.incidences()}, at::kDouble);
  const double* g = gd.data_ptr<double>();
  auto* shares = per_incidence.data_ptr<double>();
  AT_DISPATCH_FLOATING_TYPES(maps.scalar_type(), "degree_blocks_backward", [&] {
    const NodeMaps<scalar_t> in(incidence, maps, weight);
    scalar_t* out = gmaps.data_ptr<scalar_t>();
    const std::int64_t d = in.d;
    parallel_rows(in.ptr, incidence.nodes(), in.size() * (in.general ? d : 1),
                  [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t u = begin; u < end; ++u) {
                      const double* block = g + u * in.size();
                      for (std::int64_t i = in.ptr[u]; i < in.ptr[u + 1]; ++i) {
                        const scalar_t* f = in.map(i);
                        scalar_t* gf = out + in.position[i] * in.size();
                        const double w = in.weight_of(i);
                        double share = 0;  // <F^T F, gD> = half of <F, F (gD + gD^T)>
                        for (std::int64_t k = 0; k < (in.general ? d : 1); ++k) {
                          for (std::int64_t a = 0; a < d; ++a) {
                            double product = 0;
                            if (in.general) {
                              for (std::int64_t b = 0; b < d; ++b)
                                product += double(f[k * d + b]) * (block[b * d + a] + block[a * d + b]);
                            } else {
                              product = 2 * double(f[a]) * block[a];
                            }
                            gf[k * d + a] = scalar_t(w * product);
                            share += 0.5 * product * double(f[k * d + a]);
                          }
                        }
                        shares[in.position[i]] = share;
                      }
                    }
                  });
  });
  if (!weight.has_value()) return {gmaps, at::Tensor()};
  const at::Tensor gweight = at::empty_like(*weight);
  AT_DISPATCH_FLOATING_TYPES(maps.scalar_type(), "degree_blocks_backward", [&] {
    const auto* ptr = incidence.by_edge.ptr.data_ptr<std::int64_t>();
    for (std::int64_t e = 0; e < incidence.edges(); ++e) {
      double sum = 0;
      for (std::int64_t i = ptr[e]; i < ptr[e + 1]; ++i) sum += shares[i];
      gweight.data_ptr<scalar_t>()[e] = scalar_t(sum);
    }
  });
  return {gmaps, gweight};
}

/// Diagonal blocks: values hold the diagonal (0 where null) and there are no vectors.
TensorTriple inverse_sqrt_diagonal(const at::Tensor& blocks) {
  const std::int64_t k = blocks.size(1);
  const at::Tensor result = at::empty_like(blocks);
  const at::Tensor values = at::empty_like(blocks);
  const double* in = blocks.data_ptr<double>();
  for (std::int64_t u = 0; u < blocks.size(0); ++u) {
    const double* row = in + u * k;
    const double largest = k == 0 ? 0 : *std::max_element(row, row + k);
    for (std::int64_t i = 0; i < k; ++i) {
      const bool null = !(row[i] > kNullShare * largest);
      values.data_ptr<double>()[u * k + i] = null ? 0 : row[i];
      result.data_ptr<double>()[u * k + i] = null ? 0 : 1 / std::sqrt(row[i]);
    }
  }
  return {result, at::empty({0}, blocks.options()), values};
}

TensorTriple inverse_sqrt(const at::Tensor& blocks) {
  if (blocks.dim() == 2) return inverse_sqrt_diagonal(blocks);
  const std::int64_t n = blocks.size(0);
  const int d = static_cast<int>(blocks.size(1));
  const at::Tensor result = at::zeros_like(blocks);
  const at::Tensor vectors = at::empty_like(blocks);
  const at::Tensor values = at::empty({n, d}, blocks.options());
  const double* in = blocks.data_ptr<double>();
  parallel_pieces((n + 255) / 256, [&](std::int64_t first, std::int64_t last) {
    std::vector<double> work(d * d);
    for (std::int64_t u = first * 256; u < std::min(last * 256, n); ++u) {
      std::copy_n(in + u * d * d, d * d, work.data());
      double* v = vectors.data_ptr<double>() + u * d * d;
      double* l = values.data_ptr<double>() + u * d;
      double* out = result.data_ptr<double>() + u * d * d;
      symmetric_eigen(work.data(), v, l, d);
      const double largest = *std::max_element(l, l + d);
      for (int k = 0; k < d; ++k) {
        if (!(l[k] > kNullShare * largest)) {
          l[k] = 0;
          continue;
        }
        const double root = 1 / std::sqrt(l[k]);
        for (int a = 0; a < d; ++a) {
          for (int b = 0; b < d; ++b) out[a * d + b] += root * v[a * d + k] * v[b * d + k];
        }
      }
    }
  });
  return {result, vectors, values};
}

/// gD = V (K o (V^T sym(gN) V)) V^T with K_ij = -1 / (sqrt(l_i l_j) (sqrt(l_i) + sqrt(l_j))), zero on null
/// directions: the derivative of D^(-1/2) without differences of eigenvalues.
at::Tensor inverse_sqrt_backward(const at::Tensor& gn, const at::Tensor& vectors, const at::Tensor& values) {
  if (gn.dim() == 2) return at::where(values > 0, gn * -0.5 / (values * values.sqrt()), at::zeros_like(gn));
  const at::Tensor v = vectors;
  const at::Tensor roots = values.sqrt();
  const at::Tensor left = roots.unsqueeze(2);
  const at::Tensor right = roots.unsqueeze(1);
  const at::Tensor product = left * right;
  const at::Tensor kernel = at::where(product > 0, -1 / (product * (left + right)), at::zeros_like(product));
  const at::Tensor symmetric = 0.5 * (gn + gn.transpose(1, 2));
  const at::Tensor inner = at::bmm(at::bmm(v.transpose(1, 2), symmetric), v) * kernel;
  return at::bmm(at::bmm(v, inner), v.transpose(1, 2));
}

/// out = left right, d x d; with the flags, a factor is read transposed.
template <typename L, typename R, typename O>
void multiply(const L* left, bool left_t, const R* right, bool right_t, O* out, std::int64_t d, bool add) {
  for (std::int64_t a = 0; a < d; ++a) {
    for (std::int64_t b = 0; b < d; ++b) {
      double sum = 0;
      for (std::int64_t k = 0; k < d; ++k) {
        sum += double(left[left_t ? k * d + a : a * d + k]) * double(right[right_t ? b * d + k : k * d + b]);
      }
      out[a * d + b] = O(add ? double(out[a * d + b]) + sum : sum);
    }
  }
}

at::Tensor scale_maps(const at::Tensor& maps, const at::Tensor& blocks, at::TensorList tensors) {
  const Incidence incidence(tensors.vec());
  const at::Tensor result = at::empty_like(maps);
  const double* n = blocks.data_ptr<double>();
  AT_DISPATCH_FLOATING_TYPES(maps.scalar_type(), "scale_maps", [&] {
    const NodeMaps<scalar_t> in(incidence, maps, OptionalTensor());
    scalar_t* out = result.data_ptr<scalar_t>();
    parallel_rows(in.ptr, incidence.nodes(), in.size() * in.d, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t u = begin; u < end; ++u) {
        const double* block = n + u * in.size();
        for (std::int64_t i = in.ptr[u]; i < in.ptr[u + 1]; ++i) {
          scalar_t* to = out + in.position[i] * in.size();
          if (in.general)
            multiply(in.map(i), false, block, false, to, in.d, false);
          else
            for (std::int64_t k = 0; k < in.d; ++k) to[k] = scalar_t(double(in.map(i)[k]) * block[k]);
        }
      }
    });
  });
  return result;
}

/// gF_ue = gM_ue N_u^T,  gN_u = sum_e F_ue^T gM_ue.
TensorPair scale_maps_backward(const at::Tensor& gm, const at::Tensor& maps, const at::Tensor& blocks,
                               at::TensorList tensors) {
  const Incidence incidence(tensors.vec());
  const at::Tensor gmaps = at::empty_like(maps);
  const at::Tensor gblocks = at::zeros_like(blocks);
  const double* n = blocks.data_ptr<double>();
  double* gn = gblocks.data_ptr<double>();
  AT_DISPATCH_FLOATING_TYPES(maps.scalar_type(), "scale_maps_backward", [&] {
    const NodeMaps<scalar_t> in(incidence, maps, OptionalTensor());
    const scalar_t* g = gm.data_ptr<scalar_t>();
    scalar_t* out = gmaps.data_ptr<scalar_t>();
    parallel_rows(in.ptr, incidence.nodes(), 2 * in.size() * in.d, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t u = begin; u < end; ++u) {
        const std::int64_t at = u * in.size();
        for (std::int64_t i = in.ptr[u]; i < in.ptr[u + 1]; ++i) {
          const scalar_t* gi = g + in.position[i] * in.size();
          scalar_t* to = out + in.position[i] * in.size();
          const scalar_t* f = in.map(i);
          if (in.general) {
            multiply(gi, false, n + at, true, to, in.d, false);
            multiply(f, true, gi, false, gn + at, in.d, true);
            continue;
          }
          for (std::int64_t k = 0; k < in.d; ++k) {
            to[k] = scalar_t(double(gi[k]) * n[at + k]);
            gn[at + k] += double(f[k]) * double(gi[k]);
          }
        }
      }
    });
  });
  return {gmaps, gblocks};
}

TORCH_LIBRARY_IMPL(dshn, CPU, m) {
  m.impl("degree_blocks", degree_blocks);
  m.impl("_degree_blocks_backward", degree_blocks_backward);
  m.impl("_inverse_sqrt", inverse_sqrt);
  m.impl("_inverse_sqrt_backward", inverse_sqrt_backward);
  m.impl("scale_maps", scale_maps);
  m.impl("_scale_maps_backward", scale_maps_backward);
}

}  // namespace
}  // namespace dshn::ops::cpu
