#pragma once

#include "dshn/train/split_run.hpp"

/// Which epoch of a training counts, and when it ends.
namespace dshn::train {

/// A better validation figure wins, then a lower validation loss; of equals the earlier stays.
inline bool is_better(const EpochRecord& record, const SplitResult& best, const Metric& metric) {
  if (best.best_epoch == 0) return true;
  if (record.val != best.val) return metric.lower_is_better ? record.val < best.val : record.val > best.val;
  return record.val_loss < best.val_loss;
}

/// After `epochs` epochs, or `patience` of them without a better one.
inline bool is_over(int epoch, int best_epoch, const Options& training) {
  return epoch >= training.integer("epochs") || epoch - best_epoch >= training.integer("patience");
}

}  // namespace dshn::train
