#pragma once

#include "train/epoch.hpp"
#include "train/flat_adam.hpp"

namespace dshn::train {

/// One epoch as work for the device: a step of Adam on the training items, then an evaluation of all items.
/// A GPU computes the gradient of the next epoch beside the evaluation: both read the same parameters, and
/// neither fills it on the paper's data sets.
class EpochStep : public Epoch {
 public:
  EpochStep(std::shared_ptr<models::Model> model, models::Input input, EpochTargets targets, FlatAdam& adam,
            nn::MaskStream masks, bool record);

  void start(int epoch) override;
  EpochNumbers finish() override;

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
  bool ahead_ = false;     // the gradient of the next epoch is known already
  at::Tensor loss_;        // where the gradient was taken
  at::Tensor epoch_loss_;  // of the epoch under way
  at::Tensor numbers_;     // loss, validation loss, decisions: all that the host reads, in one copy
  at::Tensor on_host_;
};

}  // namespace dshn::train
