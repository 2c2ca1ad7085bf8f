// UniGCNII: UniGNN's deep convolution with initial residual and identity mapping (Huang and Yang, IJCAI
// 2021).
#include <torch/torch.h>

#include <cmath>

#include "dshn/models/registry.hpp"
#include "dshn/nn/linear.hpp"
#include "models/common_options.hpp"
#include "models/convolution.hpp"

namespace dshn::models {
namespace {

/// y_v = deg_v^-1/2 sum_e d_e mean(x in e) with d_e = mean(deg in e)^-1/2 (paper), or the mean of means
/// (authors); x' = relu((1 - beta_i) z + beta_i W_i z) with z = (1 - a) y + a x^0 and beta_i = ln(1 + 0.5 /
/// (i + 1)).
class UniGcnii : public Model {
 public:
  UniGcnii(const Options& options, const Sizes& sizes)
      : sizes_(sizes),
        hidden_(options.integer("hidden_width")),
        dropout_(options.real("dropout")),
        restart_(options.real("restart")),
        self_loops_(options.flag("self_loops")),
        degrees_(options.is("variant", "paper")) {
    lift_ = register_module("lift", torch::nn::Linear(sizes.features, hidden_));
    for (std::int64_t i = 0; i < options.integer("layers"); ++i) {
      layers_.push_back(
          register_module("layer" + std::to_string(i),
                          torch::nn::Linear(torch::nn::LinearOptions(hidden_, hidden_).bias(false))));
    }
    classifier_ = register_module("classifier", torch::nn::Linear(hidden_, sizes.classes));
  }

  Input prepare(const Input& input) const override {
    Input prepared = prepared_input(input, self_loops_);
    const at::Tensor degree = node_degrees(prepared);
    at::Tensor of_edge = power_or_zero(edge_sizes(prepared), -1);
    if (degrees_) {
      const at::Tensor mean = mean_over(ops::Over::edges, degree, prepared);
      of_edge = of_edge * power_or_zero(mean, -0.5);
    }
    const at::Tensor of_node = power_or_zero(degree, degrees_ ? -0.5 : -1);
    prepared.derived["to_edges"] =
        with_counts(ops::expand(of_edge, ops::Over::edges, prepared.incidence), ops::Over::edges, prepared);
    prepared.derived["to_nodes"] =
        with_counts(ops::expand(of_node, ops::Over::nodes, prepared.incidence), ops::Over::nodes, prepared);
    return prepared;
  }

  at::Tensor represent(const Input& input, const nn::Step& step) override {
    const at::Tensor start = at::relu(input.x.linear(lift_->weight, lift_->bias, step, dropout_));
    at::Tensor x = start;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const double beta = std::log(0.5 / static_cast<double>(i + 1) + 1);
      const at::Tensor y = to_nodes(to_edges(step.drop(x, dropout_, nn::Rows::nodes), input), input);
      const at::Tensor z = (1 - restart_) * y + restart_ * start;
      x = at::relu((1 - beta) * z + beta * nn::linear_rows(z, layers_[i]->weight));
    }
    return rows_of_target(step.drop(x, dropout_, nn::Rows::nodes), input, sizes_);
  }

  at::Tensor scores(const at::Tensor& rows) override {
    return nn::linear_rows(rows, classifier_->weight, classifier_->bias);
  }

  bool heeds_edge_weights() const override { return false; }

 private:
  Sizes sizes_;
  std::int64_t hidden_;
  double dropout_;
  double restart_;
  bool self_loops_;
  bool degrees_;
  torch::nn::Linear lift_{nullptr};
  std::vector<torch::nn::Linear> layers_;
  torch::nn::Linear classifier_{nullptr};
};

}  // namespace

ModelEntry unigcnii_entry() {
  return {
      "unigcnii",
      "UniGCNII",
      "A deep convolution that keeps a share of its first signal and stays near the identity",
      {integer_option("layers", 2, 1, 64, {"2", "4", "8"}, "convolutional layers"), hidden_width_option(),
       dropout_option(0.2, "dropout of the features, before every layer and before the classifier"),
       real_option("restart", 0.1, 0, 1, {},
                   "share of the first signal in every layer; the code of variant=authors takes 0.5"),
       self_loops_option(),
       variant_option("in the copy that later papers compare with, which takes plain means without degrees")},
      [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
        return std::make_shared<UniGcnii>(options, sizes);
      }};
}

}  // namespace dshn::models
