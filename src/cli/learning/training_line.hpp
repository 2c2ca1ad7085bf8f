#pragma once

#include <chrono>
#include <string>
#include <vector>

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

  std::string short_text(double figure) const;

  StatusLine line_;
  train::Metric metric_;
  int epochs_;
  int patience_;
  struct Best {
    int epoch = 0;
    double val = 0;
  };
  std::vector<Best> best_;  // of each split; on a GPU several are under way
  std::vector<int> left_;   // epochs at most
  Clock::time_point start_ = Clock::now();
  int seen_ = 0;  // epochs since the start
};

}  // namespace dshn::cli
