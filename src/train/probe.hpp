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
  double value() const { return value_; }
  double score() const { return score_; }

  Turned ask(const models::Input& changed) const;
  double effect_without(std::span<const Offset> incidences) const;
  Turned turned(std::span<const Offset> incidences) const;

  /// The score of what was predicted first, with what is needed for its gradient.
  at::Tensor score_of(const models::Input& input) const;

 private:
  /// The item's outputs, float64.
  at::Tensor outputs(const models::Input& input) const;
  double value_in(const at::Tensor& outputs, std::int64_t subject) const;
  Turned ask(const Hypergraph& changed) const;

  models::Model& model_;
  const Objective& objective_;
  const models::Input& input_;
  data::Task task_;
  Index item_;
  std::int64_t predicted_ = 0;
  double value_ = 0;
  double score_ = 0;
};

}  // namespace dshn::train
