#pragma once

#include <chrono>

#include "cli/progress.hpp"
#include "dshn/train/split_run.hpp"

namespace dshn::cli {

/// The live line of a training run: split, epoch, loss, training and validation figures, time left.
class TrainingLine {
 public:
  TrainingLine(const Terminal& err, const train::Experiment& experiment);

  void show(const train::EpochRecord& record);
  void erase() { line_.erase(); }

 private:
  using Clock = std::chrono::steady_clock;

  StatusLine line_;
  int splits_;
  int epochs_;
  int patience_;
  Clock::time_point start_ = Clock::now();
  int seen_ = 0;  // epochs since the start
  int split_ = -1;
  int best_epoch_ = 0;
  double best_ = 0;
};

}  // namespace dshn::cli
