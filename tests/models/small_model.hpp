#pragma once

#include <torch/nn/module.h>

#include "dshn/models/registry.hpp"

/// Tiny models on a tiny hypergraph, and what the tests of every model ask of them.
namespace dshn::models::test {

inline constexpr std::int64_t kFeatures = 3;
inline constexpr std::int64_t kClasses = 4;

/// Seven nodes, one of them isolated; directed, undirected and singleton hyperedges.
Hypergraph small_hypergraph();

/// Seeded normal features, in double.
Input input_of(const Hypergraph& hypergraph, bool with_edge_features = false);

/// A seeded model in double for the input's features and kClasses.
std::shared_ptr<Model> new_model(const std::string& name, const Assignments& set, const Input& input,
                                 Target target = Target::nodes);

/// Of the prepared input, outside training.
at::Tensor logits(Model& model, const Input& input);

/// Largest difference of two tensors.
double distance(const at::Tensor& a, const at::Tensor& b);

/// A smooth scalar of the output with random weights, so that no gradient vanishes by symmetry.
at::Tensor probe(Model& model, const Input& input);

/// Compares the gradient of probe() by every entry of every parameter with central differences.
void expect_true_gradients(Model& model, const Input& input);

/// Parameters of the model with its default options, or with these.
std::int64_t default_parameters(const std::string& name, std::int64_t features, std::int64_t classes,
                                std::int64_t nodes = 10, const Assignments& set = {});

}  // namespace dshn::models::test
