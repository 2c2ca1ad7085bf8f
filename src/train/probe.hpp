#pragma once

#include <span>
#include <vector>

#include "dshn/train/explain.hpp"

namespace dshn::train {

/// A model that is asked about one item again and again, each time on an input that differs a little from the first.
/// It looks at the loaded model as long as it lives.
class Probe {
 public:
  /// The model has been asked about the first input.
  Probe(const LoadedModel& loaded, data::Task task, Index item);

  const models::Input& input() const { return input_; }
  const Hypergraph& hypergraph() const { return input_.hypergraph; }
  bool of_node() const { return task_ == data::Task::node_classification; }
  Index item() const { return item_; }
  /// What it said of the first input.
  std::int64_t predicted() const { return predicted_; }
  double probability() const { return probability_; }
  double log_odds() const { return log_odds_; }

  Turned ask(const models::Input& changed) const;
  double effect_without(std::span<const Offset> incidences) const;
  Turned turned(std::span<const Offset> incidences) const;

  /// The log-odds of the class that was predicted first, with what is needed for their gradient.
  at::Tensor log_odds_of(const models::Input& input) const;

 private:
  /// The item's logits, float64.
  at::Tensor logits(const models::Input& input) const;
  Turned ask(const Hypergraph& changed) const;

  models::Model& model_;
  const models::Input& input_;
  data::Task task_;
  Index item_;
  std::int64_t predicted_ = 0;
  double probability_ = 0;
  double log_odds_ = 0;
};

}  // namespace dshn::train
