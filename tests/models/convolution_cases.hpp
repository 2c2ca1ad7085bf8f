#pragma once

#include <functional>

#include "models/dense_model.hpp"

/// What the tests of baselines with the options `variant` and `self_loops` ask.
namespace dshn::models::test {

/// A hypergraph, options and a target that a dense construction must agree on.
struct ConvolutionCase {
  Hypergraph hypergraph;
  Input input;
  Assignments set;
  Target target;

  bool authors() const;
  /// The hypergraph that messages are passed on: with a singleton {v} behind for each node v that has none,
  /// unless self_loops=false.
  Hypergraph extended() const;
};

using DenseForm = std::function<at::Tensor(const Model&, const ConvolutionCase&)>;

/// Compares logits with those of a dense construction on random hypergraphs, for both targets, with and
/// without self-loops, and for both variants where the model has them.
void expect_agreement(const std::string& name, const Assignments& set, const DenseForm& dense);

/// Finite differences for both targets and both variants.
void expect_true_gradients_of_variants(const std::string& name, const Assignments& set);

/// Six nodes: {0, 1}, {0, 2}, {0, 3}, {0, 4, 5}. Node 0 has degree 4, whose root is whole.
Hypergraph star_of_six();

/// Entries that are not finite (1/0) become 0.
at::Tensor or_zero(const at::Tensor& x);

}  // namespace dshn::models::test
