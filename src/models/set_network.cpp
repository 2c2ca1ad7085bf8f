#include "models/set_network.hpp"

#include <torch/torch.h>

#include "models/common_options.hpp"
#include "models/convolution.hpp"

namespace dshn::models {

std::vector<OptionSpec> SetNetwork::options() {
  // The paper's {2, 4, 8} blocks, whole steps in the code of GeDi-HNN, and AllSet's own 1.
  return {integer_option("layers", 2, 1, 32, {"1", "2", "4", "8"}, "steps from nodes to hyperedges and back"),
          hidden_width_option(),
          classifier_width_option(),
          integer_option("mlp_layers", 2, 1, 8, {"1", "2"}, "layers of every network inside"),
          dropout_option(0.5, "dropout after every set function, in the networks and in the classifier"),
          real_option("input_dropout", 0.2, 0, 0.95, {"0", "0.2"}, "dropout of the input features"),
          self_loops_option()};
}

SetNetwork::SetNetwork(const Options& options, const Sizes& sizes, const Factory& create)
    : sizes_(sizes),
      width_(options.integer("hidden_width")),
      classifier_width_(options.integer("classifier_width")),
      dropout_(options.real("dropout")),
      input_dropout_(options.real("input_dropout")),
      self_loops_(options.flag("self_loops")) {
  for (std::int64_t t = 0; t < options.integer("layers"); ++t) {
    const std::string name = std::to_string(t);
    to_edges_.push_back(register_module("to_edges" + name, create(t == 0 ? sizes.features : width_)));
    to_nodes_.push_back(register_module("to_nodes" + name, create(width_)));
  }
  classifier_ = register_module(
      "classifier", std::make_shared<nn::Classifier>(width_, classifier_width_, sizes.classes, dropout_));
}

Input SetNetwork::prepare(const Input& input) const {
  Input prepared = prepared_input(input, self_loops_);
  prepared.derived["x"] = input.x.dense();
  return prepared;
}

at::Tensor SetNetwork::represent(const Input& input, const nn::Step& step) {
  at::Tensor x = step.drop(input.derived.at("x"), input_dropout_, nn::Rows::nodes);
  for (std::size_t t = 0; t < to_edges_.size(); ++t) {
    const at::Tensor edges = at::relu(to_edges_[t]->forward(x, ops::Over::edges, input, step));
    x = at::relu(
        to_nodes_[t]->forward(step.drop(edges, dropout_, nn::Rows::edges), ops::Over::nodes, input, step));
    x = step.drop(x, dropout_, nn::Rows::nodes);
  }
  return classifier_->hidden(rows_of_target(x, input, sizes_), target_rows(sizes_), step);
}

}  // namespace dshn::models
