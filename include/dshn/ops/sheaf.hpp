#pragma once

#include "dshn/ops/dropout.hpp"
#include "dshn/ops/incidence.hpp"
#include "dshn/ops/optional.hpp"

/// The Directed Sheaf Hypergraph Laplacian's operators, matrix-free (paper, section 'Directed Sheaf
/// Hypergraph Laplacian'). Also registered as torch.ops.dshn.*, with a torch.classes.dshn.Incidence.
///
/// Shapes: n nodes, m hyperedges, nnz incidences, stalk dimension d, f channels.
///   signal  [n, d, 2, f], re and im planes of each stalk component; or [n, d, 1, f] for a real signal
///   maps    [nnz, 1] one number per incidence, [nnz, d] diagonals, or [nnz, d, d] matrices F_ue, by hyperedge
///   q       scalar charge; absent: no phases (q = 0, or no direction), and then the signal may be real
///   weight  [m] hyperedge weights w_e > 0; absent: 1
///
/// float32 or float64 throughout; the node degree blocks and their inverse roots are always float64.
/// All are differentiable once; a second derivative is refused. Rows are summed in a fixed order: the same
/// bits for any number of threads. Wrong arguments throw UsageError.
namespace dshn::ops {

/// y = Q x, the signless Laplacian  y_u = sum_e conj(s_ue) F_ue^T h_e,  h_e = (w_e/|e|) sum_v s_ve F_ve x_v,
/// with s = exp(-2 pi i q) on tails and 1 on heads. Differentiable in x, maps, q and weight.
at::Tensor sheaf_signless(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                          const OptionalTensor& weight, const Incidence& incidence);

/// rectify(sheaf_signless(x, maps, q, weight, incidence), skip, p, key), what a layer without normalisation
/// ends with, in the same pass over the nodes where the device has a kernel for it. Registered as
/// dshn::sheaf_rectified.
at::Tensor sheaf_rectified(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                           const OptionalTensor& weight, const OptionalTensor& skip, double p,
                           const MaskKey& key, const Incidence& incidence);

/// D_u = sum_e w_e F_ue^T F_ue: float64 [n, 1], [n, d] (diagonals) or [n, d, d], as the maps are.
at::Tensor degree_blocks(const at::Tensor& maps, const OptionalTensor& weight, const Incidence& incidence);

/// Moore-Penrose inverse square roots of symmetric positive semidefinite blocks [n, k] (diagonal) or [n, d,
/// d]: eigenvalues above 1e-10 of the block's largest are inverted, and of a diagonal all entries above 1e-30,
/// each by itself; the others give zero. The gradient has no division by differences of eigenvalues, so repeated
/// ones are harmless.
at::Tensor inverse_sqrt(const at::Tensor& blocks);

/// F_ue N_u for blocks N of the nodes, shaped as degree_blocks gives them.
at::Tensor scale_maps(const at::Tensor& maps, const at::Tensor& blocks, const Incidence& incidence);

/// F_ue D_u^(-1/2): with these maps sheaf_signless applies the normalised operator.
at::Tensor normalize_maps(const at::Tensor& maps, const OptionalTensor& weight, const Incidence& incidence);

/// y = Q_N x = D_V^(-1/2) Q D_V^(-1/2) x, so that L_N x = x - y where all D_u are regular.
at::Tensor sheaf_diffuse(const at::Tensor& x, const at::Tensor& maps, const OptionalTensor& q,
                         const OptionalTensor& weight, const Incidence& incidence);

}  // namespace dshn::ops
