#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "dshn/base/random.hpp"

namespace dshn::sheaf {

/// How a restriction map F_ue is made from free parameters (paper, section 'Directional Sheaf Hypergraph
/// Network').
///   trivial     the identity; no parameters                          -> [nnz, 1], ones
///   diagonal    diag(p), p of length d                               -> [nnz, d]
///   general     the d x d entries of p, by rows                      -> [nnz, d, d]
///   orthogonal  a product of d-1 Householder reflections, see below  -> [nnz, d, d]
///   low_rank    A B^T + diag(c)                                      -> [nnz, d, d]
enum class MapKind : std::uint8_t { trivial, diagonal, general, orthogonal, low_rank };

/// "trivial", "diagonal", "general", "orthogonal", "low-rank".
const char* map_kind_name(MapKind kind);
/// UsageError, with the names above, for anything else.
MapKind map_kind(const std::string& name);
std::vector<std::string> map_kind_names();

/// Length of p: 0, d, d^2, d(d-1)/2 or 2dr + d. `rank` counts for low_rank only, where it is 1 to d.
std::int64_t parameters_per_map(MapKind kind, std::int64_t d, std::int64_t rank = 1);

/// Maps from parameters [nnz, parameters_per_map], in the shapes that dshn::ops takes, differentiable by
/// autograd, in the parameters' type and on their device. UsageError when the shape does not fit.
///
/// orthogonal: F = H_0 H_1 ... H_(d-2) with H_k = I - 2 v_k v_k^T / |v_k|^2. v_k is zero above position k,
/// one at k, and holds the next d-1-k parameters below, so that |v_k| >= 1 and no parameters are singular.
/// Reaches almost every orthogonal matrix of determinant (-1)^(d-1). Only products F_u^T F_v count, and these
/// are rotations either way.
///
/// low_rank: p holds A (d x r, by rows), B (d x r, by rows) and c.
at::Tensor maps_from_parameters(MapKind kind, const at::Tensor& parameters, std::int64_t d,
                                std::int64_t rank = 1);

/// Maps from standard normal parameters, float64 on the CPU.
at::Tensor random_maps(MapKind kind, std::int64_t count, std::int64_t d, Random& random,
                       std::int64_t rank = 1);

}  // namespace dshn::sheaf
