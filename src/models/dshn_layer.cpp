#include "models/dshn_layer.hpp"

#include <torch/torch.h>

#include "dshn/nn/recompute.hpp"
#include "dshn/ops/sheaf.hpp"
#include "dshn/ops/stalk.hpp"

namespace dshn::models {
at::Tensor with_imaginary_zeros(const at::Tensor& x) {
  return at::cat({x, at::zeros_like(x)}, 2);
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

at::Tensor DshnLayer::diffused(const at::Tensor& y, const at::Tensor& maps, const Charge& charge,
                               const Input& input) {
  const bool sampled = input.node_multiplicity.has_value();
  return diffuse_in_two_steps(y, sampled ? step_maps(maps, input) : StepMaps{maps, maps}, charge, input);
}

at::Tensor DshnLayer::forward(const at::Tensor& x, const at::Tensor& projected, const at::Tensor& maps,
                              const Charge& charge, const Input& input, const nn::Step& step) {
  at::Tensor y = projected;
  // The first layer's signal is real until it meets the phase.
  const bool lifts = charge.turns() && x.size(2) == 1;
  if (lifts) y = with_imaginary_zeros(y);
  const at::Tensor skip = residual_ ? (lifts ? with_imaginary_zeros(x) : x) : at::Tensor();
  const bool norm_last = norm_ && !norm_first_;
  const bool in_two_steps = charge.of_edges.defined() || input.node_multiplicity.has_value();
  if (activates_ && !norm_last && !in_two_steps) {
    const nn::SkipAndDropout end = step.skip_and_dropout(skip, dropout_);
    return ops::sheaf_rectified(y, maps, charge.all, input.repeated_weight, end.skip, end.p, end.key,
                                input.incidence);
  }
  y = in_two_steps ? diffused(y, maps, charge, input)
                   : ops::sheaf_signless(y, maps, charge.all, input.repeated_weight, input.incidence);
  if (norm_last) y = norm_->forward(y);
  if (!activates_) return step.drop(skip.defined() ? y + skip : y, dropout_, nn::Rows::nodes);
  const nn::SkipAndDropout end = step.skip_and_dropout(skip, dropout_);
  return ops::rectify(y, end.skip, end.p, end.key);
}

}  // namespace dshn::models
