#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "dshn/base/options.hpp"
#include "dshn/models/model.hpp"
#include "dshn/ops/segment.hpp"

namespace dshn::models {

/// A learned function of sets: rows of members in, one row per set out. The sets are the hyperedges (`over`
/// edges) or the nodes, as sets of their hyperedges (`over` nodes).
class SetFunction : public torch::nn::Module {
 public:
  virtual at::Tensor forward(const at::Tensor& members, ops::Over over, const Input& input,
                             const nn::Step& step) = 0;
};

/// AllSet (Chien et al., ICLR 2022): set functions from nodes to hyperedges and back, ReLU and dropout after
/// each, then a classifier.
class SetNetwork : public Model {
 public:
  /// Makes a set function for members of that width; all give rows of `hidden_width`.
  using Factory = std::function<std::shared_ptr<SetFunction>(std::int64_t inputs)>;

  SetNetwork(const Options& options, const Sizes& sizes, const Factory& create);

  Input prepare(const Input& input) const override;
  at::Tensor represent(const Input& input, const nn::Step& step) override;
  at::Tensor scores(const at::Tensor& rows) override { return classifier_->scores(rows); }
  bool heeds_edge_weights() const override { return false; }

  /// What all such models have.
  static std::vector<OptionSpec> options();

 private:
  Sizes sizes_;
  std::int64_t width_;
  std::int64_t classifier_width_;
  double dropout_;
  double input_dropout_;
  bool self_loops_;
  std::vector<std::shared_ptr<SetFunction>> to_edges_;
  std::vector<std::shared_ptr<SetFunction>> to_nodes_;
  std::shared_ptr<nn::Classifier> classifier_;
};

}  // namespace dshn::models
