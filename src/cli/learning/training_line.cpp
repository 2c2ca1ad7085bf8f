#include "cli/learning/training_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace dshn::cli {

TrainingLine::TrainingLine(const Terminal& err, const train::Experiment& experiment)
    : line_(err),
      metric_(train::find_metric(experiment.metric)),
      epochs_(static_cast<int>(experiment.training.integer("epochs"))),
      patience_(static_cast<int>(experiment.training.integer("patience"))),
      best_(experiment.splits.size()),
      left_(experiment.splits.size(), epochs_) {}

void TrainingLine::show(const train::EpochRecord& record) {
  ++seen_;
  Best& best = best_[record.split];
  const bool better = metric_.lower_is_better ? record.val < best.val : record.val > best.val;
  if (best.epoch == 0 || better) best = {record.epoch, record.val};
  left_[record.split] = std::min(epochs_ - record.epoch, best.epoch + patience_ - record.epoch);
  if (!line_.due()) return;
  const double per_epoch = std::chrono::duration<double>(Clock::now() - start_).count() / seen_;
  const auto left = static_cast<int>(per_epoch * std::accumulate(left_.begin(), left_.end(), 0));
  line_.draw(fmt::format(
      "split {}/{}  epoch {}/{}  loss {:.4f}  train {}  val {}  best {} @ {}  {:.1f} "
      "ms/epoch  at most {}:{:02d} left",
      record.split + 1, left_.size(), record.epoch, epochs_, record.loss, short_text(record.train),
      short_text(record.val), short_text(best.val), best.epoch, 1000 * per_epoch, left / 60, left % 60));
}

std::string TrainingLine::short_text(double figure) const {
  return metric_.is_share ? fmt::format("{:.1f}", 100 * figure) : fmt::format("{:.4g}", figure);
}

}  // namespace dshn::cli
