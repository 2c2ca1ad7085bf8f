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

at::Tensor incidence_factors(const at::Tensor& of_nodes, const at::Tensor& of_edges, const Input& input) {
  return ops::expand(of_nodes, ops::Over::nodes, input.incidence) *
         ops::expand(of_edges, ops::Over::edges, input.incidence);
}

at::Tensor to_edges(const at::Tensor& x, const Input& input) {
  return ops::gather_sum(x, input.derived.at("to_edges"), ops::Over::edges, input.incidence);
}

at::Tensor to_nodes(const at::Tensor& x, const Input& input) {
  return ops::gather_sum(x, input.derived.at("to_nodes"), ops::Over::nodes, input.incidence);
}

PreparedCounts::PreparedCounts(const Input& input, bool self_loops)
    : nodes(static_cast<double>(input.incidence.nodes())),
      edges(static_cast<double>(input.incidence.edges())),
      incidences(static_cast<double>(input.incidence.incidences())),
      features(static_cast<double>(input.x.numel())) {
  if (!self_loops) return;
  edges += nodes;
  incidences += nodes;
}

}  // namespace dshn::models
