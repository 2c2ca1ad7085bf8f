// HGNN: Hypergraph Neural Networks (Feng et al., AAAI 2019).
#include <torch/torch.h>

#include "dshn/models/registry.hpp"
#include "dshn/nn/elementwise.hpp"
#include "dshn/nn/linear.hpp"
#include "models/common_options.hpp"
#include "models/convolution.hpp"

namespace dshn::models {
namespace {

/// X' = elu(P X Theta + b), with P = D^-1/2 H W Delta^-1 H^T D^-1/2 (paper) or D^-1 H W Delta^-1 H^T
/// (authors) and D the nodes' sums of hyperedge weights. P is applied in two stages and never formed.
class Hgnn : public LayeredModel {
 public:
  Hgnn(const Options& options, const Sizes& sizes)
      : LayeredModel(options, sizes), symmetric_(options.is("variant", "paper")) {}

  Input prepare(const Input& input) const override {
    Input prepared = prepared_input(input, self_loops_);
    at::Tensor degree = node_degrees(prepared);
    at::Tensor of_edge = power_or_zero(edge_sizes(prepared), -1);
    if (const auto& weight = prepared.edge_weight; weight.has_value()) {
      degree = sum_over(ops::Over::nodes, *weight, prepared);
      of_edge = of_edge * *weight;
    }
    const at::Tensor after = power_or_zero(degree, symmetric_ ? -0.5 : -1);
    const at::Tensor before = symmetric_ ? after : at::ones_like(after);
    prepared.derived["to_edges"] = incidence_factors(before, of_edge, ops::Over::edges, prepared);
    prepared.derived["to_nodes"] =
        with_counts(ops::expand(after, ops::Over::nodes, prepared.incidence), ops::Over::nodes, prepared);
    return prepared;
  }

  /// A hyperedge sums its members before the last bias: sums commute with Theta, so that is the last linear
  /// layer on the sum of the members' diffused hidden rows.
  at::Tensor forward(const Input& input, const nn::Step& step) override {
    at::Tensor x = input.x.linear(weights_[0], {}, step, 0);
    for (std::size_t t = 0;; ++t) {
      const at::Tensor y = to_nodes(to_edges(x, input), input);
      if (t + 1 == weights_.size()) return rows_of_target(y, input, sizes_) + biases_[t];
      x = nn::linear_rows(step.drop(nn::elu(y + biases_[t]), dropout_, nn::Rows::nodes), weights_[t + 1]);
    }
  }

 private:
  bool symmetric_;
};

}  // namespace

ModelEntry hgnn_entry() {
  return {
      "hgnn",
      "HGNN",
      "Hypergraph Neural Networks: means over hyperedges and over nodes between linear layers",
      {integer_option("layers", 2, 1, 32, {"2", "4", "8"},
                      "convolutional layers, the last one to the classes"),
       hidden_width_option(), dropout_option(0.5, "dropout after every layer but the last"),
       self_loops_option(),
       variant_option("where a layer divides by the nodes' degrees once, behind, instead of by their roots "
                      "before and behind")},
      [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
        return std::make_shared<Hgnn>(options, sizes);
      }};
}

}  // namespace dshn::models
