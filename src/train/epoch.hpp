#pragma once

#include "dshn/models/model.hpp"
#include "dshn/ranks/group.hpp"
#include "dshn/train/objective.hpp"
#include "train/device_queue.hpp"

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

/// One epoch of a training: steps of Adam on the training items, then an evaluation of all items.
class Epoch {
 public:
  explicit Epoch(const at::Device& device, bool record) : queue_(device, record) {}
  virtual ~Epoch() = default;
  Epoch(const Epoch&) = delete;
  Epoch& operator=(const Epoch&) = delete;

  /// Between start and finish the device works and the host is free; finish is the only place that waits.
  virtual void start(int epoch) = 0;
  virtual EpochNumbers finish() = 0;
  /// Whether finish would return at once.
  bool ready() const { return queue_.ready(); }
  /// How many steps of Adam an epoch has.
  virtual std::int64_t steps() const { return 1; }

  /// Of the last evaluation; on a GPU they are overwritten by the next start.
  const at::Tensor& logits() const { return logits_; }
  DeviceQueue& queue() { return queue_; }

 protected:
  DeviceQueue queue_;
  at::Tensor logits_;
};

}  // namespace dshn::train
