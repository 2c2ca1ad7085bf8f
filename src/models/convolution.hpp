#pragma once

#include <vector>

#include "dshn/base/options.hpp"
#include "dshn/models/model.hpp"
#include "models/message_passing.hpp"

/// What the baselines that pass messages with fixed factors share. The factors depend on the hypergraph
/// alone, so prepare() works them out once, one number per incidence.
namespace dshn::models {

OptionSpec self_loops_option();

/// The input, with self-loop hyperedges where they are wanted.
Input prepared_input(const Input& input, bool self_loops);

/// a_v b_e for every incidence (v, e), [nnz], times what it counts for in these sums.
at::Tensor incidence_factors(const at::Tensor& of_nodes, const at::Tensor& of_edges, ops::Over over,
                             const Input& input);

/// y_e = sum of to_edges_ve x_v over the members of e, and y_v = sum of to_nodes_ve x_e over the hyperedges
/// of v, with the factors of these names in Input::derived.
at::Tensor to_edges(const at::Tensor& x, const Input& input);
at::Tensor to_nodes(const at::Tensor& x, const Input& input);

/// Linear layers from the features over the hidden width to the classes, one per convolution.
class LayeredModel : public Model {
 protected:
  LayeredModel(const Options& options, const Sizes& sizes);

  Sizes sizes_;
  std::int64_t hidden_;
  double dropout_;
  bool self_loops_;
  std::vector<at::Tensor> weights_;
  std::vector<at::Tensor> biases_;
};

}  // namespace dshn::models
