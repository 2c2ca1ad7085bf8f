// Node degree blocks D_u = sum_e w_e F^T F, their inverse square roots, and F_ue N_u.
#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include <tuple>
#include <vector>

#include "ops/cuda/raw.hpp"
#include "ops/cuda/stream.hpp"

namespace dshn::ops::cuda {
namespace {

using TensorPair = std::tuple<at::Tensor, at::Tensor>;
using TensorTriple = std::tuple<at::Tensor, at::Tensor, at::Tensor>;

template <typename T>
NodeBlockArgs<T> block_args(const at::Tensor& maps, const OptionalTensor& weight,
                            const Incidence& incidence) {
  return {raw(incidence.by_node), raw(incidence.by_edge), maps.size(1),
          maps.dim() == 3,        maps.data_ptr<T>(),     raw_or_null<T>(weight)};
}

/// Scratch for sums of `numbers` doubles over long ranges.
at::Tensor block_scratch(const View& view, std::int64_t numbers, const at::Tensor& like) {
  return at::empty({partial_rows(raw(view)), numbers}, like.options().dtype(at::kDouble));
}

at::Tensor degree_blocks(const at::Tensor& maps, const OptionalTensor& weight, at::TensorList tensors) {
  const c10::DeviceGuard guard(maps.device());
  const Incidence incidence(tensors.vec());
  std::vector<std::int64_t> shape = maps.sizes().vec();
  shape[0] = incidence.nodes();
  const at::Tensor result = at::empty(shape, maps.options().dtype(at::kDouble));
  AT_DISPATCH_FLOATING_TYPES(maps.scalar_type(), "degree_blocks", [&] {
    const NodeBlockArgs<scalar_t> args = block_args<scalar_t>(maps, weight, incidence);
    const at::Tensor partial = block_scratch(incidence.by_node, args.size(), maps);
    launch_degree_blocks(args, result.data_ptr<double>(), partial.data_ptr<double>(), current_stream());
  });
  return result;
}

TensorPair degree_blocks_backward(const at::Tensor& gd, const at::Tensor& maps, const OptionalTensor& weight,
                                  at::TensorList tensors) {
  const c10::DeviceGuard guard(maps.device());
  const Incidence incidence(tensors.vec());
  const at::Tensor gmaps = at::empty_like(maps);
  const at::Tensor gweight = weight.has_value() ? at::empty_like(*weight) : at::Tensor();
  AT_DISPATCH_FLOATING_TYPES(maps.scalar_type(), "degree_blocks_backward", [&] {
    const at::Tensor partial = block_scratch(incidence.by_edge, 1, maps);
    launch_degree_gradient(block_args<scalar_t>(maps, weight, incidence), gd.data_ptr<double>(),
                           gmaps.data_ptr<scalar_t>(),
                           gweight.defined() ? gweight.data_ptr<scalar_t>() : nullptr,
                           partial.data_ptr<double>(), current_stream());
  });
  return {gmaps, gweight};
}

/// (inverse roots, eigenvectors, eigenvalues); diagonal blocks have no vectors.
TensorTriple inverse_sqrt(const at::Tensor& blocks) {
  const c10::DeviceGuard guard(blocks.device());
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

at::Tensor inverse_sqrt_backward(const at::Tensor& gn, const at::Tensor& vectors, const at::Tensor& values) {
  const c10::DeviceGuard guard(gn.device());
  const bool general = gn.dim() == 3;
  const at::Tensor result = at::empty_like(gn);
  const at::Tensor work = general ? at::empty_like(gn) : result;
  launch_inverse_sqrt_gradient(gn.data_ptr<double>(), general ? vectors.data_ptr<double>() : nullptr,
                               values.data_ptr<double>(), gn.size(0), gn.size(1), result.data_ptr<double>(),
                               work.data_ptr<double>(), current_stream());
  return result;
}

at::Tensor scale_maps(const at::Tensor& maps, const at::Tensor& blocks, at::TensorList tensors) {
  const c10::DeviceGuard guard(maps.device());
  const Incidence incidence(tensors.vec());
  const at::Tensor result = at::empty_like(maps);
  AT_DISPATCH_FLOATING_TYPES(maps.scalar_type(), "scale_maps", [&] {
    launch_scale_maps(block_args<scalar_t>(maps, OptionalTensor(), incidence), blocks.data_ptr<double>(),
                      result.data_ptr<scalar_t>(), current_stream());
  });
  return result;
}

TensorPair scale_maps_backward(const at::Tensor& gm, const at::Tensor& maps, const at::Tensor& blocks,
                               at::TensorList tensors) {
  const c10::DeviceGuard guard(maps.device());
  const Incidence incidence(tensors.vec());
  const at::Tensor gmaps = at::empty_like(maps);
  const at::Tensor gblocks = at::empty_like(blocks);
  AT_DISPATCH_FLOATING_TYPES(maps.scalar_type(), "scale_maps_backward", [&] {
    const NodeBlockArgs<scalar_t> args = block_args<scalar_t>(maps, OptionalTensor(), incidence);
    const at::Tensor partial = block_scratch(incidence.by_node, args.size(), maps);
    launch_scale_gradient(args, gm.data_ptr<scalar_t>(), blocks.data_ptr<double>(),
                          gmaps.data_ptr<scalar_t>(), gblocks.data_ptr<double>(), partial.data_ptr<double>(),
                          current_stream());
  });
  return {gmaps, gblocks};
}

TORCH_LIBRARY_IMPL(dshn, CUDA, m) {
  m.impl("_degree_blocks", degree_blocks);
  m.impl("_degree_blocks_backward", degree_blocks_backward);
  m.impl("_inverse_sqrt", inverse_sqrt);
  m.impl("_inverse_sqrt_backward", inverse_sqrt_backward);
  m.impl("_scale_maps", scale_maps);
  m.impl("_scale_maps_backward", scale_maps_backward);
}

}  // namespace
}  // namespace dshn::ops::cuda
