#pragma once

#include <torch/nn/module.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dshn/hypergraph/hypergraph.hpp"
#include "dshn/nn/classifier.hpp"
#include "dshn/nn/feature_rows.hpp"
#include "dshn/ops/incidence.hpp"
#include "dshn/ops/optional.hpp"

namespace dshn::models {

/// The option of models that can work things out again instead of keeping them: auto, keep or recompute.
inline constexpr const char* kMemoryOption = "memory";

/// What is classified.
enum class Target : std::uint8_t { nodes, hyperedges };

/// Sizes that fix the shapes of a model's parameters.
struct Sizes {
  std::int64_t nodes = 0;
  std::int64_t edges = 0;
  std::int64_t features = 0;       // columns of Input::x
  std::int64_t edge_features = 0;  // columns of Input::edge_x, 0 for none
  std::int64_t classes = 0;
  Target target = Target::nodes;
};

/// A hypergraph with its features on a device, ready for a model.
struct Input {
  Hypergraph hypergraph;
  ops::Incidence incidence;
  bool directed = false;            // some hyperedge has both a tail and a head, of any part
  ops::OptionalTensor edge_weight;  // [m], absent when all are 1
  /// [nnz], the weights of the incidences, absent when all are 1: what each counts for among the members of its
  /// hyperedge and among the hyperedges of its node.
  ops::OptionalTensor multiplicity;
  /// [nnz], of a sample: what each counts for among the hyperedges of its node, where that is not the same.
  ops::OptionalTensor node_multiplicity;
  ops::OptionalTensor repeated_weight;  // [m], ops::repeated_weight of the two
  nn::FeatureRows x;                    // [n, features]
  at::Tensor edge_x;                    // [m, edge_features], undefined for none
  /// [nnz]: by which the map of each incidence is multiplied; undefined: by 1. DSHN and DSHNLight heed it, so that
  /// its gradient tells what an incidence gives.
  at::Tensor map_factors;
  ops::Incidence halves;  // where a model's prepare() has made them: Incidence::halves()
  std::int64_t given_edges =
      0;  // how many hyperedges the data has: self-loops that a model adds are behind them
  /// What a model's prepare() has worked out once for all steps, by name.
  std::map<std::string, at::Tensor> derived;

  Input() = default;
  Input(const Hypergraph& hypergraph, nn::FeatureRows x, at::Tensor edge_x);
  Input to(const at::Device& device, at::ScalarType type) const;
  /// This input as a part of one whose other parts are elsewhere.
  Input as_part(const std::shared_ptr<const ops::Exchange>& exchange) const;
};

/// Throws UsageError where incidences have weights, naming the first one; `who` cannot make sense of them.
void refuse_incidence_weights(const Hypergraph& hypergraph, const std::string& who);

/// What a layer's Laplacian is made of, as the model sees the input.
struct LayerSheaf {
  at::Tensor maps;  // F_ue in the order of the by-hyperedge view: [nnz, 1], [nnz, d] or [nnz, d, d]
  double charge = 0;
  std::int64_t stalk_dimension = 1;
  at::Tensor charges{};  // [m] where each hyperedge has its own, and `charge` is their mean; else undefined
  bool add_identity = false;   // D_V + I stands for D_V
  bool degrees_alone = false;  // the number of hyperedges stands for the blocks of D_V, which differ from it
};

/// A classifier of nodes or hyperedges. Parameters are created on the CPU from libtorch's default generator.
class Model : public torch::nn::Module {
 public:
  /// What forward() takes instead of the plain input, made once for all splits and epochs: with self-loop
  /// hyperedges, say, or with features that were diffused beforehand.
  virtual Input prepare(const Input& input) const { return input; }

  /// Logits [items, classes] of all nodes or all hyperedges of what prepare() gave.
  virtual at::Tensor forward(const Input& input, const nn::Step& step) {
    return scores(represent(input, step));
  }

  /// Logits of `items` alone (Long), which cost less in a model that has a way of its own for them.
  virtual at::Tensor forward_items(const Input& input, const nn::Step& step, const at::Tensor& items) {
    return forward(input, step).index_select(0, items);
  }

  /// The items as the last linear layer is given them, [items, width]; undefined for models that do not end in
  /// such a layer, which have a forward() of their own instead.
  virtual at::Tensor represent(const Input& /*input*/, const nn::Step& /*step*/) { return {}; }
  /// That layer.
  virtual at::Tensor scores(const at::Tensor& /*rows*/) { return {}; }

  /// Whether weight decay pulls this parameter to 0.
  virtual bool decays(const std::string& /*parameter*/) const { return true; }

  /// The sheaf that each layer diffuses on, outside of training, for what prepare() gave; empty for models
  /// without one.
  virtual std::vector<LayerSheaf> sheaves(const Input& /*input*/) { return {}; }

  /// Whether weights of hyperedges change what the model computes. Those of incidences do in every model, or it
  /// refuses them (see refuse_incidence_weights).
  virtual bool heeds_edge_weights() const { return true; }
  /// Whether features of hyperedges do.
  virtual bool heeds_edge_features() const { return false; }

  /// What keeps it from being trained on samples (sampled_input.hpp), for a message; empty: nothing does.
  virtual std::string needs_whole() const { return {}; }
  /// Whether the degree of a node is a sum of maps over its hyperedges, and not their number alone.
  virtual bool degrees_have_maps() const { return false; }
};

}  // namespace dshn::models
