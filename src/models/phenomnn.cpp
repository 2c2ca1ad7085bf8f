// PhenomNN: unrolled descent of a hypergraph energy (Wang et al., ICML 2023).
#include <torch/torch.h>

#include "dshn/models/registry.hpp"
#include "dshn/nn/linear.hpp"
#include "models/common_options.hpp"
#include "models/convolution.hpp"

namespace dshn::models {
namespace {

/// Y <- (1 - a) Y + a Q^-1 (l0 A_clique Y + l1 A_star Y + Y^0) with Q = l0 D_clique + l1 D_star + I, where
///   A_clique = S (B B^T + I) S,   A_star = S' (B delta^-1 B^T + I) S',
/// S and S' the inverse roots of the brackets' row sums and D the row sums of A. Both products run in two
/// stages over the incidences.
class PhenomNn : public Model {
 public:
  PhenomNn(const Options& options, const Sizes& sizes)
      : sizes_(sizes),
        steps_(options.integer("steps")),
        width_(options.integer("hidden_width")),
        dropout_(options.real("dropout")),
        lambda_clique_(options.real("lambda0")),
        lambda_star_(options.real("lambda1")),
        self_loops_(options.flag("self_loops")),
        rate_(options.real("step_size")) {
    if (rate_ == 0) rate_ = 1 / (1 + lambda_clique_ + lambda_star_);
    lift_ = register_module("lift", torch::nn::Linear(sizes.features, width_));
    classifier_ = register_module("classifier", torch::nn::Linear(width_, sizes.classes));
  }

  Input prepare(const Input& input) const override {
    Input prepared = prepared_input(input, self_loops_);
    const at::Tensor sizes = edge_sizes(prepared).unsqueeze(1);
    const at::Tensor clique_sums = sum_over(ops::Over::nodes, sizes, prepared) + 1;
    const at::Tensor star_sums = node_degrees(prepared).unsqueeze(1) + 1;
    prepared.derived["clique_scale"] = power_or_zero(clique_sums, -0.5);
    prepared.derived["star_scale"] = power_or_zero(star_sums, -0.5);
    const at::Tensor ones = at::ones_like(star_sums);
    prepared.derived["inverse"] =
        (lambda_clique_ * clique(ones, prepared) + lambda_star_ * star(ones, prepared) + 1).reciprocal();
    return prepared;
  }

  at::Tensor represent(const Input& input, const nn::Step& step) override {
    const at::Tensor lifted = input.x.linear(lift_->weight, lift_->bias, step, dropout_);
    const at::Tensor start = step.drop(at::relu(lifted), dropout_, nn::Rows::nodes);
    const at::Tensor pull = input.derived.at("inverse") * rate_;
    at::Tensor y = start;
    for (std::int64_t k = 0; k < steps_; ++k) {
      at::Tensor sum = start;
      if (lambda_clique_ > 0) sum = sum + lambda_clique_ * clique(y, input);
      if (lambda_star_ > 0) sum = sum + lambda_star_ * star(y, input);
      y = rate_ == 1 ? pull * sum : (1 - rate_) * y + pull * sum;
    }
    return rows_of_target(step.drop(at::relu(y), dropout_, nn::Rows::nodes), input, sizes_);
  }

  at::Tensor scores(const at::Tensor& rows) override {
    return nn::linear_rows(rows, classifier_->weight, classifier_->bias);
  }

  bool heeds_edge_weights() const override { return false; }
  std::string needs_whole() const override {
    return "its steps, 16 as a rule, reach further than samples do";
  }

 private:
  static at::Tensor clique(const at::Tensor& y, const Input& input) {
    const at::Tensor& scale = input.derived.at("clique_scale");
    const at::Tensor scaled = y * scale;
    const at::Tensor edges = sum_over(ops::Over::edges, scaled, input);
    return scale * (sum_over(ops::Over::nodes, edges, input) + scaled);
  }

  static at::Tensor star(const at::Tensor& y, const Input& input) {
    const at::Tensor& scale = input.derived.at("star_scale");
    const at::Tensor scaled = y * scale;
    const at::Tensor edges = mean_over(ops::Over::edges, scaled, input);
    return scale * (sum_over(ops::Over::nodes, edges, input) + scaled);
  }

  Sizes sizes_;
  std::int64_t steps_;
  std::int64_t width_;
  double dropout_;
  double lambda_clique_;
  double lambda_star_;
  bool self_loops_;
  double rate_;
  torch::nn::Linear lift_{nullptr};
  torch::nn::Linear classifier_{nullptr};
};

}  // namespace

ModelEntry phenomnn_entry() {
  return {"phenomnn",
          "PhenomNN",
          "Unrolled descent of an energy that joins clique and star expansion",
          {hidden_width_option(), integer_option("steps", 16, 1, 256, {"8", "16"}, "propagation steps"),
           real_option("lambda0", 10, 0, 1000, {"0", "0.1", "1"}, "weight of the clique expansion"),
           real_option("lambda1", 10, 0, 1000, {"0.1", "1", "20", "50"}, "weight of the star expansion"),
           real_option("step_size", 1, 0, 1, {}, "of the descent; 0 means 1 / (1 + lambda0 + lambda1)"),
           self_loops_option(),
           dropout_option(0.5, "dropout of the features, of the first signal and before the classifier")},
          [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
            return std::make_shared<PhenomNn>(options, sizes);
          }};
}

}  // namespace dshn::models
