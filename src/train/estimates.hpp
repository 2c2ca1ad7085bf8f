#pragma once

#include <vector>

#include "train/probe.hpp"

namespace dshn::train {

/// Effects to first order, from one gradient of the log-odds: a derivative times what is to be taken away.
class Estimates {
 public:
  explicit Estimates(const Probe& probe);

  EstimatedBy by() const { return by_; }
  /// Of the member at this position of the by-hyperedge view.
  double member(Offset position) const;
  /// Of a whole hyperedge.
  double hyperedge(Index e) const;
  /// Of each stored number of a node's features, in the order of nn::FeatureRows::row().
  std::vector<double> features(Index node) const;
  /// Of a hyperedge's own features; empty where the model does not look at them.
  std::vector<double> edge_features(Index e) const;

 private:
  const Probe& probe_;
  EstimatedBy by_ = EstimatedBy::nothing;
  std::vector<double> factors_;  // by incidence, where the model has maps
  at::Tensor values_;  // as FeatureRows::values(), flat, on the CPU; undefined for a model without gradient
  at::Tensor edge_values_;          // as Input::edge_x, likewise
  std::vector<bool> part_of_item_;  // by node
};

}  // namespace dshn::train
