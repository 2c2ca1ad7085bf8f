// Node degree blocks D_u = sum_e w_e F^T F, their inverse square roots, and F_ue N_u, in float64 per node.
#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

#include "ops/block_math.hpp"
#include "ops/cpu/node_maps.hpp"
#include "ops/kernels.hpp"

namespace dshn::ops::cpu {
namespace {

template <typename T>
at::Tensor degree_blocks(const at::Tensor& maps, const OptionalTensor& weight, const Incidence& incidence) {
  std::vector<std::int64_t> shape = maps.sizes().vec();
  shape[0] = incidence.nodes();
  const at::Tensor result = at::zeros(shape, maps.options().dtype(at::kDouble));
  double* blocks = result.data_ptr<double>();
  const NodeMaps<T> in(incidence, maps, weight);
  in.by_node([&](std::int64_t u, std::int64_t e, std::int64_t map) {
    add_degree(in.maps + map, in.weight_of(e), blocks + u * in.size(), in.d, in.general);
  });
  return result;
}

template <typename T>
TensorPair degree_blocks_gradient(const at::Tensor& maps, const OptionalTensor& weight, const at::Tensor& gd,
                                  const Incidence& incidence) {
  const at::Tensor gmaps = at::empty_like(maps);
  const at::Tensor shares =
      weight.has_value() ? at::zeros(weight->sizes(), weight->options().dtype(at::kDouble)) : at::Tensor();
  double* const share = weight.has_value() ? shares.data_ptr<double>() : nullptr;
  const double* g = gd.data_ptr<double>();
  const NodeMaps<T> in(incidence, maps, weight);
  T* gf = gmaps.data_ptr<T>();
  in.by_edge([&](std::int64_t u, std::int64_t e, std::int64_t map) {
    const double of_weight =
        degree_gradient(in.maps + map, in.weight_of(e), g + u * in.size(), gf + map, in.d, in.general);
    if (share != nullptr) share[e] += of_weight;
  });
  return {gmaps, weight.has_value() ? shares.to(weight->scalar_type()) : at::Tensor()};
}

/// body(first node, last node) in parallel on pieces of a few hundred blocks.
template <typename Body>
void parallel_blocks(std::int64_t nodes, const Body& body) {
  constexpr std::int64_t kPiece = 256;
  parallel_pieces((nodes + kPiece - 1) / kPiece, [&](std::int64_t first, std::int64_t last) {
    body(first * kPiece, std::min(last * kPiece, nodes));
  });
}

/// (inverse roots, eigenvectors, eigenvalues); diagonal blocks have no vectors.
TensorTriple inverse_sqrt(const at::Tensor& blocks) {
  const bool general = blocks.dim() == 3;
  const std::int64_t d = blocks.size(1);
  const at::Tensor result = at::empty_like(blocks);
  const at::Tensor vectors = general ? at::empty_like(blocks) : at::empty({0}, blocks.options());
  const at::Tensor values = at::empty({blocks.size(0), d}, blocks.options());
  const double* in = blocks.data_ptr<double>();
  double* out = result.data_ptr<double>();
  double* v = vectors.data_ptr<double>();
  double* l = values.data_ptr<double>();
  parallel_blocks(blocks.size(0), [&](std::int64_t first, std::int64_t last) {
    std::vector<double> work(general ? d * d : 0);
    for (std::int64_t u = first; u < last; ++u) {
      if (general) {
        std::copy_n(in + u * d * d, d * d, work.data());
        inverse_sqrt_general(work.data(), v + u * d * d, l + u * d, out + u * d * d, static_cast<int>(d));
      } else {
        inverse_sqrt_diagonal(in + u * d, l + u * d, out + u * d, d);
      }
    }
  });
  return {result, vectors, values};
}

at::Tensor inverse_sqrt_gradient(const at::Tensor& gn, const at::Tensor& vectors, const at::Tensor& values) {
  if (gn.dim() == 2) return at::where(values > 0, gn * -0.5 / (values * values.sqrt()), at::zeros_like(gn));
  const std::int64_t d = gn.size(1);
  const at::Tensor result = at::empty_like(gn);
  const double* g = gn.data_ptr<double>();
  const double* v = vectors.data_ptr<double>();
  const double* l = values.data_ptr<double>();
  double* out = result.data_ptr<double>();
  parallel_blocks(gn.size(0), [&](std::int64_t first, std::int64_t last) {
    std::vector<double> work(d * d);
    for (std::int64_t u = first; u < last; ++u) {
      const std::int64_t at = u * d * d;
      ops::inverse_sqrt_gradient(g + at, v + at, l + u * d, out + at, work.data(), static_cast<int>(d));
    }
  });
  return result;
}

template <typename T>
at::Tensor scale_maps(const at::Tensor& maps, const at::Tensor& blocks, const Incidence& incidence) {
  const at::Tensor result = at::empty_like(maps);
  const double* n = blocks.data_ptr<double>();
  const NodeMaps<T> in(incidence, maps, OptionalTensor());
  T* out = result.data_ptr<T>();
  in.by_edge([&](std::int64_t u, std::int64_t, std::int64_t map) {
    scale_map(in.maps + map, n + u * in.size(), out + map, in.d, in.general);
  });
  return result;
}

template <typename T>
TensorPair scale_maps_gradient(const at::Tensor& gm, const at::Tensor& maps, const at::Tensor& blocks,
                               const Incidence& incidence) {
  const at::Tensor gmaps = at::empty_like(maps);
  const at::Tensor gblocks = at::zeros_like(blocks);
  const double* n = blocks.data_ptr<double>();
  double* gn = gblocks.data_ptr<double>();
  const NodeMaps<T> in(incidence, maps, OptionalTensor());
  const T* g = gm.data_ptr<T>();
  T* gf = gmaps.data_ptr<T>();
  in.by_node(
      [&](std::int64_t u, std::int64_t, std::int64_t map) {
        const std::int64_t at = u * in.size();
        scale_map_gradient(g + map, in.maps + map, n + at, gf + map, gn + at, in.d, in.general);
      },
      g);
  return {gmaps, gblocks};
}

const AtLoad kDegreeOnCpu([] {
  degree_kernel.implement(at::kCPU, degree_blocks<float>, degree_blocks<double>);
  degree_gradient_kernel.implement(at::kCPU, degree_blocks_gradient<float>, degree_blocks_gradient<double>);
  inverse_sqrt_kernel.implement(at::kCPU, nullptr, inverse_sqrt);
  inverse_sqrt_gradient_kernel.implement(at::kCPU, nullptr, inverse_sqrt_gradient);
  scale_maps_kernel.implement(at::kCPU, scale_maps<float>, scale_maps<double>);
  scale_maps_gradient_kernel.implement(at::kCPU, scale_maps_gradient<float>, scale_maps_gradient<double>);
});

}  // namespace
}  // namespace dshn::ops::cpu
