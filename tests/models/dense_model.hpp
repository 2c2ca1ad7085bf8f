#pragma once

#include <vector>

#include "models/small_model.hpp"

/// Models written down with dense matrices, and hypergraphs to compare them on.
namespace dshn::models::test {

/// The incidence matrices [n, m] of a hypergraph, in double: how often a node counts in a hyperedge.
struct DenseIncidence {
  at::Tensor members;
  at::Tensor tails;
  at::Tensor heads;
  at::Tensor weights;  // [m]

  explicit DenseIncidence(const Hypergraph& hypergraph);
  at::Tensor sizes() const { return members.sum(0); }
  at::Tensor degrees() const { return members.sum(1); }
};

/// The same hypergraph with weights of its incidences, between 1/2 and 2.
Hypergraph with_incidence_weights(const Hypergraph& hypergraph);

/// Small random ones: directed, undirected, mixed; two with weights of hyperedges, the last one of incidences too.
std::vector<Hypergraph> random_hypergraphs();

/// Six nodes: {0, 1} -> {2}, {2, 3} undirected, {4} -> {3}; node 5 is isolated.
Hypergraph six_nodes();

/// One feature per node.
Input one_feature(const Hypergraph& hypergraph, const std::vector<double>& x);

/// A model for one feature and two classes, in double.
std::shared_ptr<Model> one_feature_model(const std::string& name, const Assignments& set, const Input& input);

at::Tensor parameter(const Model& model, const std::string& name);
void set_parameter(Model& model, const std::string& name, const std::vector<double>& values);

/// Rows through the model's modules of that name, by libtorch's own functions. Any leading dimensions.
at::Tensor dense_linear(const at::Tensor& x, const Model& model, const std::string& module);
at::Tensor dense_norm(const at::Tensor& x, const Model& model, const std::string& module);
at::Tensor dense_mlp(at::Tensor x, const Model& model, const std::string& module, int layers,
                     bool input_norm);
/// Linear, ReLU, LayerNorm, Linear.
at::Tensor dense_classifier(const at::Tensor& rows, const Model& model);

/// The rows themselves, or their sums over the members of the hyperedges of the plain hypergraph.
at::Tensor dense_target(const at::Tensor& rows, const Hypergraph& hypergraph, Target target);

}  // namespace dshn::models::test
