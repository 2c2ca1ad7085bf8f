#include "models/two_step_diffusion.hpp"

#include <torch/torch.h>

#include <numbers>

#include "dshn/nn/elementwise.hpp"
#include "dshn/ops/multiplicity.hpp"
#include "dshn/ops/sheaf.hpp"
#include "models/message_passing.hpp"

namespace dshn::models {
namespace {

constexpr const char* kScale = "weight_over_size";

at::Tensor of_edges(const at::Tensor& values) {
  return values.view({-1, 1, 1});
}

/// (cos + i sin) z, for a planar z [.., 2, f].
at::Tensor turned(const at::Tensor& z, const at::Tensor& cos, const at::Tensor& sin) {
  const at::Tensor re = z.select(-2, 0);
  const at::Tensor im = z.select(-2, 1);
  return at::stack({re * cos - im * sin, re * sin + im * cos}, -2);
}

/// Sums of F_i x_i, or of F_i^T x_i, over incidences i; rows [.., d, planes, f].
at::Tensor gathered(const at::Tensor& rows, const at::Tensor& maps, ops::Over over,
                    const ops::Incidence& incidence) {
  const std::int64_t d = rows.size(1);
  const std::int64_t length = rows.size(2) * rows.size(3);
  const std::vector<std::int64_t> shape{-1, d, rows.size(2), rows.size(3)};
  if (maps.dim() < 3)
    return ops::gather_sum(rows.reshape({-1, d * length}), maps, over, incidence).view(shape);
  const at::Tensor each = ops::expand(rows.reshape({-1, d, length}), other_end(over), incidence);
  const at::Tensor mapped = at::bmm(over == ops::Over::edges ? maps : maps.transpose(1, 2), each);
  return ops::segment_sum(mapped, over, incidence).view(shape);
}

at::Tensor angles(const Charge& charge, const at::Tensor& x) {
  const at::Tensor charges = charge.of_edges.defined() ? charge.of_edges : charge.all->to(x.options());
  return of_edges(charges) * (2 * std::numbers::pi);
}

}  // namespace

Input for_two_steps(const Input& input) {
  Input prepared = input;
  if (input.directed) prepared.halves = input.incidence.halves();
  const at::Tensor sizes = input.incidence.edge_sizes().clamp_min(1).to(input.x.scalar_type());
  prepared.derived[kScale] = input.repeated_weight.has_value() ? *input.repeated_weight / sizes : 1 / sizes;
  return prepared;
}

StepMaps step_maps(const at::Tensor& maps, const Input& input) {
  const at::Tensor to_edges = ops::repeated_maps(maps, counts(ops::Over::edges, input));
  if (!input.node_multiplicity.has_value()) return {to_edges, to_edges};
  return {to_edges, ops::repeated_maps(maps, *input.node_multiplicity)};
}

at::Tensor own_blocks(const at::Tensor& maps, const at::Tensor& factors, const Input& input) {
  if (!input.node_multiplicity.has_value())
    return ops::degree_blocks(ops::repeated_maps(maps, input.multiplicity), factors, input.incidence);
  const at::Tensor both = with_counts(*input.node_multiplicity, ops::Over::edges, input);
  return ops::degree_blocks(ops::times(maps, both.sqrt()), factors, input.incidence);
}

at::Tensor diffuse_in_two_steps(const at::Tensor& x, const StepMaps& maps, const Charge& charge,
                                const Input& input) {
  const at::Tensor scale = of_edges(input.derived.at(kScale)).unsqueeze(3);
  if (!charge.turns()) {
    const at::Tensor edge = gathered(x, maps.to_edges, ops::Over::edges, input.incidence) * scale;
    return gathered(edge, maps.to_nodes, ops::Over::nodes, input.incidence);
  }
  const at::Tensor angle = angles(charge, x);
  const at::Tensor cos = nn::cos(angle);
  const at::Tensor sin = nn::sin(angle);
  // One row for the tails of a hyperedge and one for its heads.
  const std::vector<std::int64_t> halves{-1, 2, x.size(1), 2, x.size(3)};
  const at::Tensor sums = gathered(x, maps.to_edges, ops::Over::edges, input.halves).view(halves);
  const at::Tensor edge = (turned(sums.select(1, 0), cos, -sin) + sums.select(1, 1)) * scale;
  const at::Tensor rows = at::stack({turned(edge, cos, sin), edge}, 1).view({-1, x.size(1), 2, x.size(3)});
  return gathered(rows, maps.to_nodes, ops::Over::nodes, input.halves);
}

}  // namespace dshn::models
