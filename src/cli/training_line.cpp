#include "cli/training_line.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dshn::cli {

TrainingLine::TrainingLine(const Terminal& err, const train::Experiment& experiment)
    : line_(err),
      splits_(static_cast<int>(experiment.splits.size())),
      epochs_(static_cast<int>(experiment.training.integer("epochs"))),
      patience_(static_cast<int>(experiment.training.integer("patience"))) {}

void TrainingLine::show(const train::EpochRecord& record) {
  ++seen_;
  if (record.split != split_) {
    split_ = record.split;
    best_epoch_ = 0;
    best_ = 0;
  }
  if (best_epoch_ == 0 || record.val > best_) {
    best_ = record.val;
    best_epoch_ = record.epoch;
  }
  if (!line_.due()) return;
  const double per_epoch = std::chrono::duration<double>(Clock::now() - start_).count() / seen_;
  const int left_here = std::min(epochs_ - record.epoch, best_epoch_ + patience_ - record.epoch);
  const auto left = static_cast<int>(per_epoch * (left_here + (splits_ - record.split - 1) * epochs_));
  line_.draw(
      fmt::format("split {}/{}  epoch {}/{}  loss {:.4f}  train {:.1f}  val {:.1f}  best {:.1f} @ {}  {:.1f} "
                  "ms/epoch  at most {}:{:02d} left",
                  record.split + 1, splits_, record.epoch, epochs_, record.loss, 100 * record.train,
                  100 * record.val, 100 * best_, best_epoch_, 1000 * per_epoch, left / 60, left % 60));
}

}  // namespace dshn::cli
