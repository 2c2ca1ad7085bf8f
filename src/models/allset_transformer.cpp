// AllSetTransformer: AllSet with pooling by attention as its set functions (Chien et al., ICLR 2022).
#include <fmt/format.h>
#include <torch/torch.h>

#include "dshn/base/error.hpp"
#include "dshn/models/registry.hpp"
#include "dshn/nn/elementwise.hpp"
#include "dshn/nn/linear.hpp"
#include "dshn/nn/mlp.hpp"
#include "dshn/nn/norm.hpp"
#include "models/set_network.hpp"

namespace dshn::models {
namespace {

/// o = theta + sum_j a_j V x_j with a = softmax over the members of leakyrelu(<K x_j, theta>), per head; then
/// LN1(LN0(o) + relu(rFF(LN0(o)))). A member that counts m times has m times its share: log m is added to its score.
class AttentionPool : public SetFunction {
 public:
  AttentionPool(const Options& options, std::int64_t inputs)
      : width_(options.integer("hidden_width")),
        heads_(options.integer("heads")),
        layers_(options.integer("mlp_layers")) {
    if (width_ % heads_ != 0) {
      throw UsageError(
          fmt::format("model option heads={}: hidden_width={} is not a multiple of it", heads_, width_));
    }
    key_ = register_module("key", torch::nn::Linear(inputs, width_));
    value_ = register_module("value", torch::nn::Linear(inputs, width_));
    torch::nn::init::xavier_uniform_(key_->weight);
    torch::nn::init::xavier_uniform_(value_->weight);
    seed_ = register_parameter("seed",
                               torch::nn::init::xavier_uniform_(torch::empty({1, heads_, width_ / heads_})));
    norm0_ = register_module("norm0", torch::nn::LayerNorm(torch::nn::LayerNormOptions({width_})));
    norm1_ = register_module("norm1", torch::nn::LayerNorm(torch::nn::LayerNormOptions({width_})));
    feed_forward_ = register_module(
        "feed_forward", std::make_shared<nn::Mlp>(nn::MlpOptions{width_, width_, width_, layers_, 0, false}));
  }

  at::Tensor forward(const at::Tensor& members, ops::Over over, const Input& input,
                     const nn::Step& step) override {
    const ops::Incidence& incidence = input.incidence;
    at::Tensor score = ops::expand(scores(members), other_end(over), incidence);
    if (const auto& each = counts(over, input); each.has_value()) score = score + nn::log(*each).unsqueeze(1);
    const at::Tensor attention = ops::segment_softmax(score, over, incidence);
    const at::Tensor values = nn::linear_rows(members, value_->weight, value_->bias);
    const at::Tensor pooled = ops::gather_sum(values, attention, over, incidence) + seed_.view({-1});
    const at::Tensor normed = nn::layer_norm(pooled, *norm0_);
    return nn::layer_norm(normed + at::relu(feed_forward_->forward(normed, rows_over(over), step)), *norm1_);
  }

 private:
  /// <K x + b, theta> per head, [members, heads]. The seed is folded into the keys first, which leaves a
  /// product with as many columns as there are heads instead of `hidden_width`.
  at::Tensor scores(const at::Tensor& members) const {
    const at::Tensor seed = seed_.view({heads_, -1});
    const at::Tensor weight = (key_->weight.view({heads_, width_ / heads_, -1}) * seed.unsqueeze(2)).sum(1);
    const at::Tensor bias = (key_->bias.view({heads_, -1}) * seed).sum(1);
    return at::leaky_relu(nn::linear_rows(members, weight, bias), 0.2);
  }

  std::int64_t width_;
  std::int64_t heads_;
  std::int64_t layers_;
  torch::nn::Linear key_{nullptr};
  torch::nn::Linear value_{nullptr};
  at::Tensor seed_;
  torch::nn::LayerNorm norm0_{nullptr};
  torch::nn::LayerNorm norm1_{nullptr};
  std::shared_ptr<nn::Mlp> feed_forward_;
};

}  // namespace

ModelEntry allset_transformer_entry() {
  std::vector<OptionSpec> options = SetNetwork::options();
  options.push_back(
      integer_option("heads", 1, 1, 64, {"1", "4", "8"}, "attention heads; they share the width"));
  return {
      "allset-transformer", "AllSetTransformer", "AllSet with pooling by attention, to hyperedges and back",
      std::move(options), [](const Options& set, const Sizes& sizes) -> std::shared_ptr<Model> {
        return std::make_shared<SetNetwork>(
            set, sizes, [&](std::int64_t inputs) { return std::make_shared<AttentionPool>(set, inputs); });
      }};
}

}  // namespace dshn::models
