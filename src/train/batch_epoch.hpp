#pragma once

#include "train/batches.hpp"
#include "train/epoch.hpp"
#include "train/flat_adam.hpp"

namespace dshn::train {

/// The loss of a batch times what it weighs in a mean over several, and that weight.
struct BatchLoss {
  double sum = 0;
  double weight = 0;
};

/// In training; leaves the gradient at the parameters. `weights` are those of the loss.
BatchLoss differentiate(models::Model& model, const Batch& batch, const Experiment& experiment,
                        const Objective& objective, const at::Tensor& weights, nn::MaskStream& masks);

/// An epoch that takes a step for each mini-batch, on the CPU. It is evaluated on the whole or, as the option says, on
/// samples; without dropout either way.
class BatchEpoch : public Epoch {
 public:
  BatchEpoch(std::shared_ptr<models::Model> model, const Experiment& experiment, int split,
             const BatchOptions& options, EpochTargets targets, FlatAdam& adam, nn::MaskStream masks);

  void start(int epoch) override;
  EpochNumbers finish() override { return numbers_; }
  std::int64_t steps() const override { return batches_.count(); }

 private:
  /// The mean loss.
  double train(int epoch);
  at::Tensor evaluated() const;

  std::shared_ptr<models::Model> model_;
  const Experiment& experiment_;
  bool exact_;
  EpochTargets targets_;
  FlatAdam& adam_;
  nn::MaskStream masks_;
  Batches batches_;
  EpochNumbers numbers_;
};

}  // namespace dshn::train
