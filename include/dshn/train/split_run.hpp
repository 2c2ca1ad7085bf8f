#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/ranks/exchange.hpp"
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
  /// Mean validation figure of the best epoch and the ten before and after it: an epoch that was lucky counts
  /// for little here.
  double steady_val = 0;
  double test = 0;
  double epoch_ms = 0;
  /// On ranks: what their operators have sent in the last epoch, all together.
  std::optional<ranks::Traffic> epoch_traffic;
  std::shared_ptr<const Figures> test_figures;
  at::Tensor predictions;  // [items, width], float64: probabilities of classes or labels, or numbers
  std::map<std::string, at::Tensor> weights;  // parameters and buffers at that epoch, by name, on the CPU
  std::string failure;                        // why there are no figures; empty: there are
};

struct SplitHooks {
  std::function<void(const EpochRecord&)> on_epoch;
  /// Hears of each split as it ends.
  std::function<void(const SplitResult&)> on_split;
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

/// One split of one experiment, and the folder it leaves its files in; without one it leaves none.
struct SplitJob {
  const Experiment* experiment;
  int split;
  std::filesystem::path folder;
};

/// What happens when a training diverges: the error goes to the caller, or into that split's result alone.
enum class OnFailure : std::uint8_t { stop, record };

/// Trains splits, each in its own folder (model.safetensors, state.safetensors, metrics.jsonl), or finishes
/// what an earlier, killed call began: the results are the same to the last bit. A split that was finished is
/// only read. On a GPU as many as fit are trained side by side, on the CPU one after the other. Failure with
/// the epoch and the cause when the loss is no longer finite. Results are in the order of the jobs.
std::vector<SplitResult> run_splits(const std::vector<SplitJob>& jobs, const SplitHooks& hooks,
                                    OnFailure on_failure = OnFailure::stop);

}  // namespace dshn::train
