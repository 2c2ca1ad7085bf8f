#pragma once

#include <array>
#include <tuple>

#include "dshn/ops/segment.hpp"
#include "ops/kernel.hpp"

/// What a device implements. Arguments are as the operators of the same names have them; rows are flat,
/// [rows, c]. The first tensor has the type of the numbers.
namespace dshn::ops {

using TensorPair = std::tuple<at::Tensor, at::Tensor>;
using TensorTriple = std::tuple<at::Tensor, at::Tensor, at::Tensor>;
using TensorQuad = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>;
using In = const at::Tensor&;
using OptionalIn = const OptionalTensor&;
using Of = const Incidence&;

enum class Reduce { sum, mean, max };

/// (rows, coefficients [nnz, heads], by_incidence, ..): the result and the winners of a maximum. The rows are
/// those at the other ends of the incidences, or by_incidence their own.
inline constinit Kernel<TensorPair(In, OptionalIn, bool, Over, Reduce, Of)> reduce_kernel("dshn::_reduce");
/// (gy, x, heads, ..)
inline constinit Kernel<at::Tensor(In, In, std::int64_t, Over, Of)> coefficients_gradient_kernel(
    "dshn::_coefficients_gradient");
/// (gy, winners, by_incidence, ..)
inline constinit Kernel<at::Tensor(In, In, bool, Over, Of)> max_gradient_kernel("dshn::_max_gradient");
/// nodes_u + edges_e per incidence, either absent.
inline constinit Kernel<at::Tensor(OptionalIn, OptionalIn, Of)> expand_kernel("dshn::_expand");
/// (values, nothing, ..), or for the gradient (result, its gradient, ..).
inline constinit Kernel<at::Tensor(In, OptionalIn, Over, Of)> softmax_kernel("dshn::_segment_softmax");

/// (x, maps, q, weight, ..): y and the rows of the hyperedges.
inline constinit Kernel<TensorPair(In, In, OptionalIn, OptionalIn, Of)> signless_kernel(
    "dshn::_sheaf_signless");
/// The same and rectify in one pass, with (.., skip, p, key, ..); a device may be without it.
inline constinit Kernel<TensorPair(In, In, OptionalIn, OptionalIn, OptionalIn, double, const MaskKey&, Of)>
    rectified_kernel("dshn::_sheaf_rectified");
/// (gy, x, rows of the hyperedges, maps, q, weight, ..): those gradients of x, maps, q, weight that are needed.
inline constinit Kernel<TensorQuad(In, In, In, In, OptionalIn, OptionalIn, Of, const std::array<bool, 4>&)>
    signless_gradient_kernel("dshn::_sheaf_signless_gradient");

/// (maps, weight, ..)
inline constinit Kernel<at::Tensor(In, OptionalIn, Of)> degree_kernel("dshn::_degree_blocks");
/// (maps, weight, gradient of the blocks, ..): gradients of maps and weight.
inline constinit Kernel<TensorPair(In, OptionalIn, In, Of)> degree_gradient_kernel(
    "dshn::_degree_blocks_gradient");
/// Inverse roots, eigenvectors (none of diagonal blocks), eigenvalues.
inline constinit Kernel<TensorTriple(In)> inverse_sqrt_kernel("dshn::_inverse_sqrt");
/// (gradient of the roots, eigenvectors, eigenvalues)
inline constinit Kernel<at::Tensor(In, In, In)> inverse_sqrt_gradient_kernel("dshn::_inverse_sqrt_gradient");
/// (maps, blocks, ..)
inline constinit Kernel<at::Tensor(In, In, Of)> scale_maps_kernel("dshn::_scale_maps");
/// (gradient of the result, maps, blocks, ..): gradients of maps and blocks.
inline constinit Kernel<TensorPair(In, In, In, Of)> scale_maps_gradient_kernel("dshn::_scale_maps_gradient");

/// (x, p, key, planes, channels)
inline constinit Kernel<at::Tensor(In, double, const MaskKey&, std::int64_t, std::int64_t)> dropout_kernel(
    "dshn::_dropout");
/// (values, numbers, p, key)
inline constinit Kernel<at::Tensor(In, In, double, const MaskKey&)> dropout_at_kernel("dshn::_dropout_at");
/// (y, skip, p, key)
inline constinit Kernel<at::Tensor(In, OptionalIn, double, const MaskKey&)> rectify_kernel("dshn::_rectify");
/// (gradient of the result, result, p)
inline constinit Kernel<at::Tensor(In, In, double)> rectify_gradient_kernel("dshn::_rectify_gradient");

/// W x + added / d and, where asked for, the mean of x: x [rows, d, length], added and mean [rows, length].
inline constinit Kernel<TensorPair(In, In, OptionalIn, bool)> stalk_kernel("dshn::_stalk_product");
/// (gy, x): the gradient of W.
inline constinit Kernel<at::Tensor(In, In)> stalk_weight_gradient_kernel("dshn::_stalk_weight_gradient");

/// (x, nothing, epsilon), or for the gradient (x, gradient of the result, epsilon).
inline constinit Kernel<at::Tensor(In, OptionalIn, double)> whiten_kernel("dshn::_whiten");

}  // namespace dshn::ops
