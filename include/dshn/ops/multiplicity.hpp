#pragma once

#include "dshn/ops/incidence.hpp"
#include "dshn/ops/optional.hpp"

/// Incidences with weights: one of weight m_ue counts as if the node u stood m_ue times in the hyperedge e, so that
///   D_u = sum_e w_e m_ue F_ue^T F_ue,   delta_e = sum_u m_ue,
///   y_u = sum_e m_ue conj(s_ue) F_ue^T h_e,   h_e = (w_e / delta_e) sum_v m_ve s_ve F_ve x_v.
/// No operator of sheaf.hpp knows them: they are given degrees, maps and hyperedge weights that hold them.
///
/// multiplicity: [nnz], positive, by hyperedge; absent: all are 1, and what is given comes back as it is.
namespace dshn::ops {

/// Maps [nnz, 1], [nnz, d] or [nnz, d, d], each times a number [nnz].
at::Tensor times(const at::Tensor& maps, const at::Tensor& factors);

/// m_ue F_ue, which sheaf_signless takes for maps.
at::Tensor repeated_maps(const at::Tensor& maps, const OptionalTensor& multiplicity);

/// w_e |e| / delta_e, which sheaf_signless takes for weights, dividing by |e| itself. An empty hyperedge has its
/// own weight.
OptionalTensor repeated_weight(const OptionalTensor& weight, const OptionalTensor& multiplicity,
                               const Incidence& incidence);

/// D_u as above, shaped as degree_blocks() gives it.
at::Tensor repeated_degree(const at::Tensor& maps, const OptionalTensor& weight,
                           const OptionalTensor& multiplicity, const Incidence& incidence);

}  // namespace dshn::ops
