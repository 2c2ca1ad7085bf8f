#include "cli/learning/training_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace dshn::cli {

TrainingLine::TrainingLine(const Terminal& err, const train::Experiment& experiment)
    : line_(err),
      epochs_(static_cast<int>(experiment.training.integer("epochs"))),
      patience_(static_cast<int>(experiment.training.integer("patience"))),
      best_(experiment.splits.size()),
      left_(experiment.splits.size(), epochs_) {}

void TrainingLine::show(const train::EpochRecord& record) {
  ++seen_;
  Best& best = best_[record.split];
  if (best.epoch == 0 || record.val > best.val) best = {record.epoch, record.val};
  left_[record.split] = std::min(epochs_ - record.epoch, best.epoch + patience_ - record.epoch);
  if (!line_.due()) return;
  const double per_epoch = std::chrono::duration<double>(Clock::now() - start_).count() / seen_;
  const auto left = static_cast<int>(per_epoch * std::accumulate(left_.begin(), left_.end(), 0));
  line_.draw(
      fmt::format("split {}/{}  epoch {}/{}  loss {:.4f}  train {:.1f}  val {:.1f}  best {:.1f} @ {}  {:.1f} "
                  "ms/epoch  at most {}:{:02d} left",
                  record.split + 1, left_.size(), record.epoch, epochs_, record.loss, 100 * record.train,
                  100 * record.val, 100 * best.val, best.epoch, 1000 * per_epoch, left / 60, left % 60));
}

}  // namespace dshn::cli
