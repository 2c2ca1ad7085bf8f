#include "models/convolution.hpp"

#include <torch/torch.h>

namespace dshn::models {

OptionSpec self_loops_option() {
  OptionSpec option = flag_option("self_loops", true, "add a hyperedge {v} for each node v that has none");
  option.search.clear();
  return option;
}

Input prepared_input(const Input& input, bool self_loops) {
  return self_loops ? with_self_loops(input) : input;
}

at::Tensor incidence_factors(const at::Tensor& of_nodes, const at::Tensor& of_edges, ops::Over over,
                             const Input& input) {
  return with_counts(ops::expand(of_nodes, ops::Over::nodes, input.incidence) *
                         ops::expand(of_edges, ops::Over::edges, input.incidence),
                     over, input);
}

at::Tensor to_edges(const at::Tensor& x, const Input& input) {
  return ops::gather_sum(x, input.derived.at("to_edges"), ops::Over::edges, input.incidence);
}

at::Tensor to_nodes(const at::Tensor& x, const Input& input) {
  return ops::gather_sum(x, input.derived.at("to_nodes"), ops::Over::nodes, input.incidence);
}

LayeredModel::LayeredModel(const Options& options, const Sizes& sizes)
    : sizes_(sizes),
      hidden_(options.integer("hidden_width")),
      dropout_(options.real("dropout")),
      self_loops_(options.flag("self_loops")) {
  const std::int64_t layers = options.integer("layers");
  std::int64_t width = sizes.features;
  for (std::int64_t t = 0; t < layers; ++t) {
    const std::int64_t next = t + 1 == layers ? sizes.classes : hidden_;
    weights_.push_back(register_parameter("weight" + std::to_string(t),
                                          torch::nn::init::xavier_uniform_(torch::empty({next, width}))));
    biases_.push_back(register_parameter("bias" + std::to_string(t), torch::zeros({next})));
    width = next;
  }
}

}  // namespace dshn::models
