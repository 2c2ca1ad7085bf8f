#pragma once

#include "dshn/models/model.hpp"
#include "dshn/ranks/group.hpp"
#include "dshn/train/objective.hpp"
#include "train/device_queue.hpp"
#include "train/flat_adam.hpp"

namespace dshn::train {

/// What an epoch is asked about: items and what is known of them, on the device.
struct EpochTargets {
  std::shared_ptr<const Objective> objective;
  at::Tensor train_items, train_targets;
  at::Tensor val_items, val_targets;
  at::Tensor weights;  // of the training loss; undefined: 1
  /// Where other ranks have items too: what this one's count for in the means over all. Its losses are shares of them.
  const ranks::Group* ranks = nullptr;
  double train_share = 1, val_share = 1;
};

struct EpochNumbers {
  double loss = 0;
  double val_loss = 0;
  at::Tensor decisions;  // of every item, as Objective has them, on the CPU
};

/// One epoch as work for the device: a step of Adam on the training items, then an evaluation of all items.
/// Between start and finish the device works and the host is free; finish is the only place that waits.
/// A GPU computes the gradient of the next epoch beside the evaluation: both read the same parameters, and
/// neither fills it on the paper's data sets.
class EpochStep {
 public:
  EpochStep(std::shared_ptr<models::Model> model, models::Input input, EpochTargets targets, FlatAdam& adam,
            nn::MaskStream masks, bool record);

  void start(int epoch);
  EpochNumbers finish();
  /// Whether finish would return at once.
  bool ready() const { return queue_.ready(); }

  /// Of the last evaluation; on a GPU they are overwritten by the next start.
  const at::Tensor& logits() const { return logits_; }
  DeviceQueue& queue() { return queue_; }

 private:
  at::Tensor loss(const at::Tensor& outputs, const at::Tensor& targets, const at::Tensor& weights,
                  double share) const;
  void differentiate();
  void step_and_evaluate();
  void evaluate();

  std::shared_ptr<models::Model> model_;
  models::Input input_;
  EpochTargets targets_;
  FlatAdam& adam_;
  nn::MaskStream masks_;
  DeviceQueue queue_;
  bool ahead_ = false;     // the gradient of the next epoch is known already
  at::Tensor loss_;        // where the gradient was taken
  at::Tensor epoch_loss_;  // of the epoch under way
  at::Tensor logits_;
  at::Tensor numbers_;  // loss, validation loss, decisions: all that the host reads, in one copy
  at::Tensor on_host_;
};

}  // namespace dshn::train
