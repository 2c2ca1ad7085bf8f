#include "models/dshn_layer.hpp"

#include <torch/torch.h>

#include <numbers>

#include "dshn/nn/elementwise.hpp"
#include "dshn/nn/recompute.hpp"
#include "dshn/ops/segment.hpp"
#include "dshn/ops/sheaf.hpp"
#include "dshn/ops/stalk.hpp"

namespace dshn::models {
namespace {

constexpr const char* kScale = "weight_over_size";

/// (cos + i sin) z, for a planar z [.., 2, f].
at::Tensor turned(const at::Tensor& z, const at::Tensor& cos, const at::Tensor& sin) {
  const at::Tensor re = z.select(-2, 0);
  const at::Tensor im = z.select(-2, 1);
  return at::stack({re * cos - im * sin, re * sin + im * cos}, -2);
}

}  // namespace

at::Tensor with_imaginary_zeros(const at::Tensor& x) {
  return at::cat({x, at::zeros_like(x)}, 2);
}

Input with_halves(const Input& input) {
  Input prepared = input;
  prepared.halves = input.incidence.halves();
  const at::Tensor sizes = input.incidence.edge_sizes().clamp_min(1).to(input.x.scalar_type());
  prepared.derived[kScale] = input.repeated_weight.has_value() ? *input.repeated_weight / sizes : 1 / sizes;
  return prepared;
}

at::Tensor diffuse_by_edge(const at::Tensor& x, const at::Tensor& maps, const at::Tensor& charges,
                           const Input& input) {
  const std::int64_t d = x.size(1);
  const std::int64_t f = x.size(3);
  const auto of_edges = [](const at::Tensor& values) { return values.view({-1, 1, 1}); };
  const at::Tensor angle = of_edges(charges) * (2 * std::numbers::pi);
  const at::Tensor cos = nn::cos(angle);
  const at::Tensor sin = nn::sin(angle);
  // One row for the tails of a hyperedge and one for its heads.
  const at::Tensor sums = ops::gather_sum(x.reshape({-1, d * 2 * f}), maps, ops::Over::edges, input.halves)
                              .view({-1, 2, d, 2, f});
  const at::Tensor edge = (turned(sums.select(1, 0), cos, -sin) + sums.select(1, 1)) *
                          of_edges(input.derived.at(kScale)).unsqueeze(3);
  const at::Tensor rows = at::stack({turned(edge, cos, sin), edge}, 1).view({-1, d * 2 * f});
  return ops::gather_sum(rows, maps, ops::Over::nodes, input.halves).view(x.sizes());
}

DshnLayer::DshnLayer(const Options& options, bool activates)
    : activates_(activates),
      residual_(options.flag("residual")),
      norm_first_(options.is("layer_norm", "input")),
      dropout_(options.real("dropout")) {
  const std::int64_t d = options.integer("d");
  const std::int64_t f = options.integer("hidden_width");
  if (options.flag("left_projection")) w1_ = register_parameter("w1", torch::eye(d));
  w2_ = register_parameter("w2", torch::nn::init::xavier_uniform_(torch::empty({f, f})));
  if (!options.is("layer_norm", "none"))
    norm_ = register_module("norm", std::make_shared<nn::ComplexLayerNorm>());
}

std::vector<at::Tensor> DshnLayer::project_rows(const at::Tensor& rows, bool with_mean) const {
  if (w1_.defined() && with_mean && !norm_first_) {
    const auto [projected, mean] = ops::stalk_product_and_mean(rows, w1_);
    return {nn::channel_linear(projected, w2_), mean};
  }
  const at::Tensor given = norm_first_ ? norm_->forward(rows) : rows;
  std::vector<at::Tensor> made{nn::channel_linear(w1_.defined() ? nn::stalk_linear(given, w1_) : given, w2_)};
  if (with_mean) made.push_back(rows.mean(1, /*keepdim=*/true));
  return made;
}

DshnLayer::Projection DshnLayer::project(const at::Tensor& x, bool with_mean) const {
  const nn::RowWork work = [this, with_mean](const at::Tensor& rows, const at::Tensor&) {
    return project_rows(rows, with_mean);
  };
  const std::vector<at::Tensor> made =
      x.is_cpu() ? nn::in_row_blocks(work, x, {}, parameters()) : project_rows(x, with_mean);
  return {made[0], with_mean ? made[1] : at::Tensor()};
}

at::Tensor DshnLayer::forward(const at::Tensor& x, const at::Tensor& projected, const at::Tensor& maps,
                              const Charge& charge, const Input& input, const nn::Step& step) {
  at::Tensor y = projected;
  // The first layer's signal is real until it meets the phase.
  const bool lifts = charge.turns() && x.size(2) == 1;
  if (lifts) y = with_imaginary_zeros(y);
  const at::Tensor skip = residual_ ? (lifts ? with_imaginary_zeros(x) : x) : at::Tensor();
  const bool norm_last = norm_ && !norm_first_;
  if (activates_ && !norm_last && !charge.of_edges.defined()) {
    const nn::SkipAndDropout end = step.skip_and_dropout(skip, dropout_);
    return ops::sheaf_rectified(y, maps, charge.all, input.repeated_weight, end.skip, end.p, end.key,
                                input.incidence);
  }
  y = charge.of_edges.defined()
          ? diffuse_by_edge(y, maps, charge.of_edges, input)
          : ops::sheaf_signless(y, maps, charge.all, input.repeated_weight, input.incidence);
  if (norm_last) y = norm_->forward(y);
  if (!activates_) return step.drop(skip.defined() ? y + skip : y, dropout_, nn::Rows::nodes);
  const nn::SkipAndDropout end = step.skip_and_dropout(skip, dropout_);
  return ops::rectify(y, end.skip, end.p, end.key);
}

}  // namespace dshn::models
