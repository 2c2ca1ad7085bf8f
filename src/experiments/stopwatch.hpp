#pragma once

#include <chrono>
#include <filesystem>

namespace dshn::experiments {

/// Seconds that something has taken over all the calls that worked on it. They are kept in a file from time to
/// time, so that a call that is killed loses no more than kBetween.
class Stopwatch {
 public:
  static constexpr double kBetween = 5;

  explicit Stopwatch(std::filesystem::path file);

  double seconds() const;
  /// Keeps them, where kBetween seconds have passed since the last time.
  void tick();
  void keep();

 private:
  using Clock = std::chrono::steady_clock;

  std::filesystem::path file_;
  double before_ = 0;  // of earlier calls
  Clock::time_point start_ = Clock::now();
  double kept_ = 0;
};

}  // namespace dshn::experiments
