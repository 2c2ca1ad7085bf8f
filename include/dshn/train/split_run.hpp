#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "dshn/hypergraph/error.hpp"
#include "dshn/train/experiment.hpp"
#include "dshn/train/metrics.hpp"

namespace dshn::train {

/// One epoch of one split, as metrics.jsonl records it.
struct EpochRecord {
  int split = 0;
  int epoch = 0;
  double loss = 0;
  double train = 0;
  double val = 0;
  double val_loss = 0;
};

/// What a split came to: figures at the epoch of best validation.
struct SplitResult {
  int split = 0;
  int epochs = 0;
  int best_epoch = 0;
  double train = 0;
  double val = 0;
  double val_loss = 0;
  double test = 0;
  double epoch_ms = 0;
  Confusion test_confusion{0};
  at::Tensor probabilities;  // [items, classes], float64
};

struct SplitHooks {
  std::function<void(const EpochRecord&)> on_epoch;
  /// Asked after every epoch; true ends the run after a checkpoint.
  std::function<bool()> should_stop;
  /// Seconds between checkpoints.
  double checkpoint_seconds = 10;
};

/// Thrown when should_stop said so; the checkpoint is on disk.
class Interrupted : public Error {
 public:
  using Error::Error;
};

/// Trains splits, each in its own folder (model.safetensors, state.safetensors, metrics.jsonl), or finishes
/// what an earlier, killed call began: the results are the same to the last bit. A split that was finished is
/// only read. On a GPU several splits are trained side by side, on the CPU one after the other; `on_split`
/// hears of each as it ends. Failure with the epoch and the cause when the loss is no longer finite.
std::vector<SplitResult> run_splits(const Experiment& experiment, const std::vector<int>& splits,
                                    const std::function<std::filesystem::path(int)>& folder_of,
                                    const SplitHooks& hooks,
                                    const std::function<void(const SplitResult&)>& on_split);

}  // namespace dshn::train
