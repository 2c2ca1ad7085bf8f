// Node degree blocks D_u = sum_e w_e F^T F, their inverse square roots, and F_ue N_u.
#include <ATen/ATen.h>

#include <vector>

#include "ops/cuda/raw.hpp"
#include "ops/cuda/stream.hpp"
#include "ops/kernels.hpp"

namespace dshn::ops::cuda {
namespace {

template <typename T>
NodeBlockArgs<T> block_args(const at::Tensor& maps, const OptionalTensor& weight,
                            const Incidence& incidence) {
  return {raw(incidence.by_node()), raw(incidence.by_edge()), maps.size(1),
          maps.dim() == 3,          maps.data_ptr<T>(),       raw_or_null<T>(weight)};
}

/// Scratch for sums of `numbers` doubles over long ranges.
at::Tensor block_scratch(const View& view, std::int64_t numbers, const at::Tensor& like) {
  return at::empty({partial_rows(raw(view)), numbers}, like.options().dtype(at::kDouble));
}

template <typename T>
at::Tensor degree_blocks(const at::Tensor& maps, const OptionalTensor& weight, const Incidence& incidence) {
  std::vector<std::int64_t> shape = maps.sizes().vec();
  shape[0] = incidence.nodes();
  const at::Tensor result = at::empty(shape, maps.options().dtype(at::kDouble));
  const NodeBlockArgs<T> args = block_args<T>(maps, weight, incidence);
  const at::Tensor partial = block_scratch(incidence.by_node(), args.size(), maps);
  launch_degree_blocks(args, result.data_ptr<double>(), partial.data_ptr<double>(), current_stream());
  return result;
}

template <typename T>
TensorPair degree_blocks_gradient(const at::Tensor& maps, const OptionalTensor& weight, const at::Tensor& gd,
                                  const Incidence& incidence) {
  const at::Tensor gmaps = at::empty_like(maps);
  const at::Tensor gweight = weight.has_value() ? at::empty_like(*weight) : at::Tensor();
  const at::Tensor partial = block_scratch(incidence.by_edge(), 1, maps);
  launch_degree_gradient(block_args<T>(maps, weight, incidence), gd.data_ptr<double>(), gmaps.data_ptr<T>(),
                         gweight.defined() ? gweight.data_ptr<T>() : nullptr, partial.data_ptr<double>(),
                         current_stream());
  return {gmaps, gweight};
}

/// (inverse roots, eigenvectors, eigenvalues); diagonal blocks have no vectors.
TensorTriple inverse_sqrt(const at::Tensor& blocks) {
  const bool general = blocks.dim() == 3;
  const at::Tensor result = at::empty_like(blocks);
  const at::Tensor vectors = general ? at::empty_like(blocks) : at::empty({0}, blocks.options());
  const at::Tensor values = at::empty({blocks.size(0), blocks.size(1)}, blocks.options());
  const at::Tensor work = general ? at::empty_like(blocks) : vectors;
  launch_inverse_sqrt(blocks.data_ptr<double>(), blocks.size(0), blocks.size(1), result.data_ptr<double>(),
                      general ? vectors.data_ptr<double>() : nullptr, values.data_ptr<double>(),
                      work.data_ptr<double>(), current_stream());
  return {result, vectors, values};
}

at::Tensor inverse_sqrt_gradient(const at::Tensor& gn, const at::Tensor& vectors, const at::Tensor& values) {
  const bool general = gn.dim() == 3;
  const at::Tensor result = at::empty_like(gn);
  const at::Tensor work = general ? at::empty_like(gn) : result;
  launch_inverse_sqrt_gradient(gn.data_ptr<double>(), general ? vectors.data_ptr<double>() : nullptr,
                               values.data_ptr<double>(), gn.size(0), gn.size(1), result.data_ptr<double>(),
                               work.data_ptr<double>(), current_stream());
  return result;
}

template <typename T>
at::Tensor scale_maps(const at::Tensor& maps, const at::Tensor& blocks, const Incidence& incidence) {
  const at::Tensor result = at::empty_like(maps);
  launch_scale_maps(block_args<T>(maps, OptionalTensor(), incidence), blocks.data_ptr<double>(),
                    result.data_ptr<T>(), current_stream());
  return result;
}

template <typename T>
TensorPair scale_maps_gradient(const at::Tensor& gm, const at::Tensor& maps, const at::Tensor& blocks,
                               const Incidence& incidence) {
  const at::Tensor gmaps = at::empty_like(maps);
  const at::Tensor gblocks = at::empty_like(blocks);
  const NodeBlockArgs<T> args = block_args<T>(maps, OptionalTensor(), incidence);
  const at::Tensor partial = block_scratch(incidence.by_node(), args.size(), maps);
  launch_scale_gradient(args, gm.data_ptr<T>(), blocks.data_ptr<double>(), gmaps.data_ptr<T>(),
                        gblocks.data_ptr<double>(), partial.data_ptr<double>(), current_stream());
  return {gmaps, gblocks};
}

const AtLoad kBlocksOnCuda([] {
  degree_kernel.implement(at::kCUDA, degree_blocks<float>, degree_blocks<double>);
  degree_gradient_kernel.implement(at::kCUDA, degree_blocks_gradient<float>, degree_blocks_gradient<double>);
  inverse_sqrt_kernel.implement(at::kCUDA, nullptr, inverse_sqrt);
  inverse_sqrt_gradient_kernel.implement(at::kCUDA, nullptr, inverse_sqrt_gradient);
  scale_maps_kernel.implement(at::kCUDA, scale_maps<float>, scale_maps<double>);
  scale_maps_gradient_kernel.implement(at::kCUDA, scale_maps_gradient<float>, scale_maps_gradient<double>);
});

}  // namespace
}  // namespace dshn::ops::cuda
