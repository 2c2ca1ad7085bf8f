// LEGCN: graph convolution on the line expansion of a hypergraph (Yang et al., CIKM 2022).
#include <torch/torch.h>

#include "dshn/models/registry.hpp"
#include "dshn/nn/linear.hpp"
#include "models/common_options.hpp"
#include "models/convolution.hpp"

namespace dshn::models {
namespace {

/// A GCN whose nodes are the incidences (v, e), adjacent where they share v or e, with x_(v,e) = x_v at first
/// and the mean over a node's incidences at last. With s_(v,e) = (deg_v + delta_e - 1)^-1/2 a convolution is
///   y_(v,e) = s_(v,e) (S_v + S_e - s_(v,e) x_(v,e)),  S = sums of s x over the incidences of v, and of e:
/// linear in the incidences, where the line expansion has the sum of |e|^2 and deg^2 edges. An incidence of weight m
/// is m nodes that share v and e: they count m times in deg_v, delta_e and both sums, and are taken out m times.
///
/// The first layer multiplies by its weights per node, before it spreads to the incidences, and the last one
/// after the mean, per node again: only layers between the two have a product per incidence.
class Legcn : public LayeredModel {
 public:
  Legcn(const Options& options, const Sizes& sizes)
      : LayeredModel(options, sizes), propagates_(options.is("variant", "paper")) {}

  Input prepare(const Input& input) const override {
    Input prepared = prepared_input(input, self_loops_);
    if (!propagates_) return prepared;
    const at::Tensor both =
        ops::incidence_linear(node_degrees(prepared), edge_sizes(prepared), prepared.incidence);
    const at::Tensor degree = prepared.multiplicity.has_value() ? both - *prepared.multiplicity : both - 1;
    prepared.derived["scale"] = power_or_zero(degree, -0.5);
    prepared.derived["repeated_scale"] = with_counts(prepared.derived["scale"], ops::Over::edges, prepared);
    prepared.derived["node_scale"] =
        ops::segment_sum(prepared.derived["repeated_scale"], ops::Over::nodes, prepared.incidence);
    return prepared;
  }

  /// A hyperedge is classified by the last linear layer on the sum of its members' rows. A node in no
  /// hyperedge has zeros in place of its mean.
  at::Tensor forward(const Input& input, const nn::Step& step) override {
    const at::Tensor rows = propagates_ ? convolved(input, step) : unmixed(input, step);
    return nn::linear_rows(rows_of_target(rows, input, sizes_), weights_.back(), biases_.back());
  }

  bool heeds_edge_weights() const override { return false; }
  std::string needs_whole() const override {
    return propagates_ ? "its line expansion joins all incidences of a node and all of a hyperedge" : "";
  }

 private:
  at::Tensor activated(const at::Tensor& y, nn::Rows of, std::size_t layer, const nn::Step& step) const {
    return step.drop(at::relu(y + biases_[layer]), dropout_, of);
  }

  /// What the authors' code computes: its adjacency matrix comes out (almost) empty, so nothing is
  /// propagated.
  at::Tensor unmixed(const Input& input, const nn::Step& step) const {
    at::Tensor x = activated(input.x.linear(weights_[0], {}, step, 0), nn::Rows::nodes, 0, step);
    for (std::size_t t = 1; t + 1 < weights_.size(); ++t) {
      x = activated(nn::linear_rows(x, weights_[t]), nn::Rows::nodes, t, step);
    }
    return x;
  }

  at::Tensor convolved(const Input& input, const nn::Step& step) const {
    at::Tensor x = activated(first_convolution(input.x.linear(weights_[0], {}, step, 0), input),
                             nn::Rows::incidences, 0, step);
    for (std::size_t t = 1; t + 1 < weights_.size(); ++t) {
      x = activated(convolution(nn::linear_rows(x, weights_[t]), input), nn::Rows::incidences, t, step);
    }
    return mean_of_convolution(x, input);
  }

  /// Of rows of nodes [n, c]: S_v = x_v times the sum of v's scales.
  static at::Tensor first_convolution(const at::Tensor& x, const Input& input) {
    const at::Tensor& repeated = input.derived.at("repeated_scale");
    const at::Tensor of_nodes = scale_rows(x, input.derived.at("node_scale"));
    const at::Tensor of_edges = ops::gather_sum(x, repeated, ops::Over::edges, input.incidence);
    const at::Tensor sums = ops::incidence_linear(of_nodes, of_edges, input.incidence);
    const at::Tensor own = scale_rows(ops::expand(x, ops::Over::nodes, input.incidence), repeated);
    return scale_rows(sums - own, input.derived.at("scale"));
  }

  /// Of rows of incidences [nnz, c].
  static at::Tensor convolution(const at::Tensor& x, const Input& input) {
    const at::Tensor scaled = scale_rows(x, input.derived.at("repeated_scale"));
    const at::Tensor sums =
        ops::incidence_linear(ops::segment_sum(scaled, ops::Over::nodes, input.incidence),
                              ops::segment_sum(scaled, ops::Over::edges, input.incidence), input.incidence);
    return scale_rows(sums - scaled, input.derived.at("scale"));
  }

  /// The mean over each node's incidences of convolution(x): the sums over them are taken term by term, so
  /// that no further array per incidence is made.
  static at::Tensor mean_of_convolution(const at::Tensor& x, const Input& input) {
    const at::Tensor& repeated = input.derived.at("repeated_scale");
    const at::Tensor scaled = scale_rows(x, repeated);
    const at::Tensor of_nodes = ops::segment_sum(scaled, ops::Over::nodes, input.incidence);
    const at::Tensor of_edges = ops::segment_sum(scaled, ops::Over::edges, input.incidence);
    const at::Tensor sum = scale_rows(of_nodes, input.derived.at("node_scale")) +
                           ops::gather_sum(of_edges, repeated, ops::Over::nodes, input.incidence) -
                           ops::segment_sum(scale_rows(scaled, repeated), ops::Over::nodes, input.incidence);
    return scale_rows(sum, power_or_zero(node_degrees(input), -1));
  }

  bool propagates_;
};

}  // namespace

ModelEntry legcn_entry() {
  return {"legcn",
          "LEGCN",
          "Graph convolution on the line expansion, whose nodes are the incidences",
          {integer_option("layers", 2, 2, 32, {"2", "4", "8"},
                          "convolutional layers, the last one to the classes"),
           hidden_width_option(),
           dropout_option(0, "dropout after every layer but the last; the published model has none"),
           self_loops_option(),
           variant_option("where the adjacency comes out empty and a plain network on the features is left")},
          [](const Options& options, const Sizes& sizes) -> std::shared_ptr<Model> {
            return std::make_shared<Legcn>(options, sizes);
          }};
}

}  // namespace dshn::models
