// ED-HNN: equivariant diffusion operators made of three small networks (Wang et al., ICLR 2023).
#include <torch/torch.h>

#include "dshn/models/registry.hpp"
#include "dshn/nn/linear.hpp"
#include "dshn/nn/mlp.hpp"
#include "dshn/nn/norm.hpp"
#include "models/common_options.hpp"
#include "models/convolution.hpp"
#include "models/pair_linear.hpp"

namespace dshn::models {
namespace {

/// y_v = mean (or sum) over the hyperedges e of v of phi2([x_v || m_e]). The linear layers stay off the
/// incidences: the first splits, and the last commutes with the mean.
class PairDiffusion : public torch::nn::Module {
 public:
  PairDiffusion(const nn::MlpOptions& mlp, bool sum)
      : sum_(sum),
        dropout_(mlp.dropout),
        first_(register_module("first",
                               std::make_shared<PairLinear>(mlp.inputs / 2, mlp.hidden, mlp.input_norm))) {
    if (mlp.layers == 1) return;
    norm_ = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({mlp.hidden})));
    last_ = register_module("last", torch::nn::Linear(mlp.hidden, mlp.outputs));
  }

  at::Tensor forward(const at::Tensor& x, const at::Tensor& edges, const Input& input, const nn::Step& step) {
    const at::Tensor mean = last_ ? mean_of_two(x, edges, input, step) : first_->node_mean(x, edges, input);
    return sum_ ? scale_rows(mean, input.derived.at("degree")) : mean;
  }

 private:
  at::Tensor mean_of_two(const at::Tensor& x, const at::Tensor& edges, const Input& input,
                         const nn::Step& step) {
    const at::Tensor hidden = nn::layer_norm(at::relu(first_->forward(x, edges, input.incidence)), *norm_);
    const at::Tensor mean =
        mean_of_incidences(ops::Over::nodes, step.drop(hidden, dropout_, nn::Rows::incidences), input);
    return nn::linear_rows(mean, last_->weight, last_->bias);
  }

  bool sum_;
  double dropout_;
  std::shared_ptr<PairLinear> first_;
  torch::nn::LayerNorm norm_{nullptr};
  torch::nn::Linear last_{nullptr};
};

/// One diffusion operator, shared by all iterations:
/// x' = relu(phi3((1 - a) AGG_e phi2([x_v || m_e]) + a x^0)),  m_e = AGG_v phi1(x_v).
class EdHnn : public Model {
 public:
  EdHnn(const Options& options, const Sizes& sizes)
      : sizes_(sizes),
        layers_(options.integer("layers")),
        width_(options.integer("hidden_width")),
        dropout_(options.real("dropout")),
        restart_(options.real("restart")),
        self_loops_(options.flag("self_loops")),
        sum_(options.is("aggregation", "sum")) {
    const auto depth = [&](const char* name) {
      return options.integer(options.is(name, "same") ? "mlp_layers" : name);
    };
    const auto mlp = [&](std::int64_t inputs, std::int64_t layers) {
      return nn::MlpOptions{inputs, width_, width_, layers, dropout_, true, options.flag("input_norm")};
    };
    lift_ = register_module("lift", torch::nn::Linear(sizes.features, width_));
    if (const std::int64_t n = options.integer("mlp_layers"); n > 0)
      phi1_ = register_module("phi1", std::make_shared<nn::Mlp>(mlp(width_, n)));
    if (const std::int64_t n = depth("mlp2_layers"); n > 0)
      phi2_ = register_module("phi2", std::make_shared<PairDiffusion>(mlp(2 * width_, n), sum_));
    if (const std::int64_t n = depth("mlp3_layers"); n > 0)
      phi3_ = register_module("phi3", std::make_shared<nn::Mlp>(mlp(width_, n)));
    classifier_ = register_module(
        "classifier", std::make_shared<nn::Classifier>(width_, options.integer("classifier_width"),
                                                       sizes.classes, dropout_));
  }

  Input prepare(const Input& input) const override {
    Input prepared = prepared_input(input, self_loops_);
    prepared.derived["degree"] = node_degrees(prepared);
    return prepared;
  }

  at::Tensor represent(const Input& input, const nn::Step& step) override {
    const at::Tensor start = at::relu(input.x.linear(lift_->weight, lift_->bias, step, dropout_));
    at::Tensor x = start;
    for (std::int64_t t = 0; t < layers_; ++t) {
      x = step.drop(x, dropout_, nn::Rows::nodes);
      const at::Tensor edges =
          gather(phi1_ ? phi1_->forward(x, nn::Rows::nodes, step) : x, ops::Over::edges, input);
      const at::Tensor y =
          phi2_ ? phi2_->forward(x, edges, input, step) : gather(edges, ops::Over::nodes, input);
      x = (1 - restart_) * y + restart_ * start;
      if (phi3_) x = phi3_->forward(x, nn::Rows::nodes, step);
      x = at::relu(x);
    }
    return classifier_->hidden(rows_of_target(step.drop(x, dropout_, nn::Rows::nodes), input, sizes_),
                               target_rows(sizes_), step);
  }

  at::Tensor scores(const at::Tensor& rows) override { return classifier_->scores(rows); }

  bool heeds_edge_weights() const override { return false; }

 private:
  at::Tensor gather(const at::Tensor& rows, ops::Over over, const Input& input) const {
    return sum_ ? sum_over(over, rows, input) : mean_over(over, rows, input);
  }

  Sizes sizes_;
  std::int64_t layers_;
  std::int64_t width_;
  double dropout_;
  double restart_;
  bool self_loops_;
  bool sum_;
  torch::nn::Linear lift_{nullptr};
  std::shared_ptr<nn::Mlp> phi1_;
  std::shared_ptr<PairDiffusion> phi2_;
  std::shared_ptr<nn::Mlp> phi3_;
  std::shared_ptr<nn::Classifier> classifier_;
};

/// Layers of phi2 or phi3: a number of its own, or phi1's.
OptionSpec depth_option(std::string name, std::string help) {
  OptionSpec option = integer_option(std::move(name), 2, 0, 2, {}, std::move(help));
  option.default_value = "same";
  option.words = {"same"};
  return option;
}

}  // namespace

ModelEntry ed_hnn_entry() {
  return {"ed-hnn",
          "ED-HNN",
          "Equivariant diffusion: three small networks shared by all iterations",
          {integer_option("layers", 2, 1, 32, {"2", "4", "8"}, "iterations of the diffusion operator"),
           hidden_width_option(), classifier_width_option(),
           integer_option("mlp_layers", 2, 0, 2, {"1", "2"},
                          "layers of phi1 (on nodes), and of the others where they say same; 0: identity"),
           depth_option("mlp2_layers", "layers of phi2 (on pairs of node and hyperedge); 0: the hyperedge"),
           depth_option("mlp3_layers", "layers of phi3 (on the restarted mean); 0: identity"),
           real_option("restart", 0.5, 0, 1, {}, "share of the first signal in every iteration"),
           choice_option("aggregation", "mean", {"mean", "sum"}, "of members and of hyperedges"),
           flag_option("input_norm", false, "layer normalisation at the entry of phi1, phi2 and phi3"),
           self_loops_option(),
           dropout_option(0.5, "dropout of the features, before every iteration and in the networks")},
          [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
            return std::make_shared<EdHnn>(options, sizes);
          }};
}

}  // namespace dshn::models
