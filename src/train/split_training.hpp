#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dshn/base/error.hpp"
#include "train/checkpoint.hpp"
#include "train/epoch.hpp"
#include "train/flat_adam.hpp"

namespace dshn::train {

/// Thrown when the memory of a card ends: with fewer trainings on it there may be enough.
class DeviceFull : public Failure {
 public:
  using Failure::Failure;
};

/// Training of one split, epoch by epoch, and what of it a checkpoint must know.
class SplitTraining {
 public:
  /// Goes on from the checkpoint in the folder, if there is one.
  SplitTraining(const Experiment& experiment, int split, std::filesystem::path folder);

  /// The same; DeviceFull where the card has no room for it.
  static std::unique_ptr<SplitTraining> begin(const Experiment& experiment, int split,
                                              const std::filesystem::path& folder);

  int split() const { return split_; }
  int epoch() const { return state_.epoch; }
  bool done() const { return state_.done; }

  /// Queues an epoch; finish waits for it, ready says whether it would. Several trainings that are started
  /// before the first is finished share the device.
  /// DeviceFull where the card has no room for its temporaries.
  void start();
  bool ready() const { return epoch_->ready(); }
  EpochRecord finish();
  /// Adds to the time that the epochs took.
  void spend(double seconds) { state_.seconds += seconds; }

  void save();
  SplitResult result();

 private:
  void keep(const EpochRecord& record);
  EpochTargets targets() const;
  std::unique_ptr<Epoch> new_epoch();
  ranks::Traffic of_all_ranks(const ranks::Traffic& mine) const;
  const data::Split& parts() const { return experiment_.splits[split_]; }
  /// What the other ranks have; null: there are none.
  const RankPart* part() const { return experiment_.part.get(); }
  /// Of some items (of all ranks), from the decisions about all.
  std::unique_ptr<Figures> figures(const std::vector<Index>& items, const at::Tensor& decisions) const;
  double figure(const std::vector<Index>& items, const at::Tensor& decisions) const;
  std::string description() const { return split_description(experiment_, split_); }
  [[noreturn]] void report_divergence(double loss_value) const;

  const Experiment& experiment_;
  int split_;
  std::filesystem::path folder_;
  std::shared_ptr<const Objective> objective_;
  std::shared_ptr<models::Model> model_;
  FlatAdam adam_;
  std::unique_ptr<Epoch> epoch_;
  SplitState state_;
  ranks::Traffic sent_before_;          // the last epoch
  std::optional<ranks::Traffic> sent_;  // in it
  at::Tensor best_;  // parameters at the best epoch of this process; undefined: that of the checkpoint
};

}  // namespace dshn::train
