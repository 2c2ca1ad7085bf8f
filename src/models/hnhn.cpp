// HNHN: Hypergraph Networks with Hyperedge Neurons (Dong et al., 2020).
#include <torch/torch.h>

#include "dshn/models/registry.hpp"
#include "dshn/nn/linear.hpp"
#include "models/common_options.hpp"
#include "models/convolution.hpp"

namespace dshn::models {
namespace {

/// h_e = relu(N_e sum_v deg_v^beta (W1 x_v + b1)),  x'_v = N_v sum_e delta_e^alpha (W2 h_e + b2), with ReLU
/// and dropout between layers. N makes weighted means of the sums (paper) or divides by sums without
/// exponents (authors).
class Hnhn : public Model {
 public:
  Hnhn(const Options& options, const Sizes& sizes)
      : sizes_(sizes),
        hidden_(options.integer("hidden_width")),
        dropout_(options.real("dropout")),
        alpha_(options.real("alpha")),
        beta_(options.real("beta")),
        self_loops_(options.flag("self_loops")),
        mean_(options.is("variant", "paper")) {
    const std::int64_t layers = options.integer("layers");
    for (std::int64_t t = 0; t < layers; ++t) {
      const std::string name = std::to_string(t);
      first_.push_back(
          register_module("first" + name, torch::nn::Linear(t == 0 ? sizes.features : hidden_, hidden_)));
      second_.push_back(register_module(
          "second" + name, torch::nn::Linear(hidden_, t + 1 == layers ? sizes.classes : hidden_)));
    }
  }

  Input prepare(const Input& input) const override {
    Input prepared = prepared_input(input, self_loops_);
    const at::Tensor degree = node_degrees(prepared);
    const at::Tensor size = edge_sizes(prepared);
    const at::Tensor of_node = power_or_zero(degree, beta_);
    const at::Tensor of_edge = power_or_zero(size, alpha_);
    const at::Tensor edge_sum = sum_over(ops::Over::edges, mean_ ? of_node : degree, prepared);
    const at::Tensor node_sum = sum_over(ops::Over::nodes, mean_ ? of_edge : size, prepared);
    prepared.derived["to_edges"] =
        incidence_factors(of_node, power_or_zero(edge_sum, -1), ops::Over::edges, prepared);
    prepared.derived["to_nodes"] =
        incidence_factors(power_or_zero(node_sum, -1), of_edge, ops::Over::nodes, prepared);
    return prepared;
  }

  at::Tensor forward(const Input& input, const nn::Step& step) override {
    at::Tensor x = input.x.linear(first_[0]->weight, first_[0]->bias, step, 0);
    for (std::size_t t = 0;; ++t) {
      const at::Tensor h = at::relu(to_edges(x, input));
      if (t + 1 == first_.size()) return last(h, input);
      const at::Tensor y = to_nodes(nn::linear_rows(h, second_[t]->weight, second_[t]->bias), input);
      x = nn::linear_rows(step.drop(at::relu(y), dropout_, nn::Rows::nodes), first_[t + 1]->weight,
                          first_[t + 1]->bias);
    }
  }

  bool heeds_edge_weights() const override { return false; }

 private:
  /// A hyperedge is classified by W2 s + b2 with s the sum of its members' hidden rows.
  at::Tensor last(const at::Tensor& h, const Input& input) {
    const torch::nn::Linear& linear = second_.back();
    if (sizes_.target == Target::nodes)
      return to_nodes(nn::linear_rows(h, linear->weight, linear->bias), input);
    return nn::linear_rows(rows_of_target(to_nodes(h, input), input, sizes_), linear->weight, linear->bias);
  }

  Sizes sizes_;
  std::int64_t hidden_;
  double dropout_;
  double alpha_;
  double beta_;
  bool self_loops_;
  bool mean_;
  std::vector<torch::nn::Linear> first_;
  std::vector<torch::nn::Linear> second_;
};

}  // namespace

ModelEntry hnhn_entry() {
  return {"hnhn",
          "HNHN",
          "Hypergraph Networks with Hyperedge Neurons: an activation on hyperedges too, degrees weighted by "
          "powers",
          {integer_option("layers", 2, 1, 32, {"2", "4", "8"},
                          "convolutional layers, the last one to the classes"),
           hidden_width_option(), dropout_option(0.5, "dropout after every layer but the last"),
           real_option("alpha", -1.5, -5, 5, {}, "power of a hyperedge's size in sums over hyperedges"),
           real_option("beta", -0.5, -5, 5, {}, "power of a node's degree in sums over members"),
           self_loops_option(),
           variant_option("where sums are divided by sums of degrees and sizes without their powers")},
          [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
            return std::make_shared<Hnhn>(options, sizes);
          }};
}

}  // namespace dshn::models
