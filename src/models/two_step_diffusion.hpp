#pragma once

#include "dshn/models/model.hpp"

/// y_u = sum_e a_ue conj(s_ue) F_ue^T h_e,  h_e = (w_e / delta_e) sum_v b_ve s_ve F_ve x_v, in two steps: for what
/// ops::sheaf_signless does not know, which are charges of hyperedges, and samples, where an incidence counts b_ue
/// in its hyperedge and a_ue at its node.
namespace dshn::models {

/// The phases of a layer: none (a real operator), one charge for all hyperedges, or one for each.
struct Charge {
  ops::OptionalTensor all;  // a scalar
  at::Tensor of_edges;      // [m], undefined where `all` is meant

  bool turns() const { return all.has_value() || of_edges.defined(); }
};

/// The input with what diffuse_in_two_steps() needs of it.
Input for_two_steps(const Input& input);

/// b_ue F_ue and a_ue F_ue, shaped as maps of sheaf.hpp; the same tensor where they agree.
struct StepMaps {
  at::Tensor to_edges;
  at::Tensor to_nodes;
};
/// Of maps that hold neither.
StepMaps step_maps(const at::Tensor& maps, const Input& input);

/// sum_e c_e a_ue b_ue F_ue^T F_ue for factors c [m]: what y_u holds of x_u itself. Float64, shaped as
/// ops::degree_blocks gives it.
at::Tensor own_blocks(const at::Tensor& maps, const at::Tensor& factors, const Input& input);

/// Differentiable in x [n, d, planes, f], maps and charges; two planes where something turns.
at::Tensor diffuse_in_two_steps(const at::Tensor& x, const StepMaps& maps, const Charge& charge,
                                const Input& input);

}  // namespace dshn::models
