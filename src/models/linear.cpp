// Multinomial logistic regression on the features: what they say without the hypergraph.
#include "dshn/nn/linear.hpp"

#include <torch/torch.h>

#include "dshn/models/registry.hpp"
#include "models/common_options.hpp"
#include "models/message_passing.hpp"

namespace dshn::models {
namespace {

/// Logits are X W + b. Those of a hyperedge are the mean over its members, plus what its own features give where it
/// has any.
class LinearModel : public Model {
 public:
  LinearModel(const Options& options, const Sizes& sizes)
      : target_(sizes.target), dropout_(options.real("dropout")) {
    of_nodes_ = register_module("of_nodes", torch::nn::Linear(sizes.features, sizes.classes));
    if (sizes.target == Target::hyperedges && sizes.edge_features > 0)
      of_edges_ = register_module(
          "of_edges",
          torch::nn::Linear(torch::nn::LinearOptions(sizes.edge_features, sizes.classes).bias(false)));
  }

  at::Tensor forward(const Input& input, const nn::Step& step) override {
    if (target_ == Target::nodes) return input.x.linear(of_nodes_->weight, of_nodes_->bias, step, dropout_);
    const at::Tensor members = input.x.linear(of_nodes_->weight, {}, step, dropout_);
    const at::Tensor y = mean_over(ops::Over::edges, members, input) + of_nodes_->bias;
    if (of_edges_.is_empty()) return y;
    return y + nn::linear_rows(step.drop(input.edge_x, dropout_, nn::Rows::edges), of_edges_->weight);
  }

  bool heeds_edge_weights() const override { return false; }
  bool heeds_edge_features() const override { return !of_edges_.is_empty(); }

 private:
  Target target_;
  double dropout_;
  torch::nn::Linear of_nodes_{nullptr};
  torch::nn::Linear of_edges_{nullptr};
};

}  // namespace

ModelEntry linear_entry() {
  return {"linear",
          "Linear",
          "Logistic regression on the features alone: what is known without the hypergraph",
          {dropout_option(0, "dropout of the features")},
          [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
            return std::make_shared<LinearModel>(options, sizes);
          }};
}

}  // namespace dshn::models
