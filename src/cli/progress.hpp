#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "cli/terminal.hpp"

namespace dshn::cli {

/// Says how work goes on. On a terminal that is one line, redrawn at most ten times a second and taken away
/// in the end; elsewhere it is a line now and then, the first after half a minute, then each after twice the
/// time, but at least one in five minutes.
class StatusLine {
 public:
  using Clock = std::chrono::steady_clock;

  explicit StatusLine(const Terminal& err);
  ~StatusLine() { erase(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  Terminal terminal() const { return err_.now(); }
  /// Whether enough time has passed for a new line to be worth its making.
  bool due(Clock::time_point now = Clock::now()) const;
  void draw(const std::string& text, Clock::time_point now = Clock::now());
  void erase();

 private:
  Terminal err_;
  Clock::duration pause_;
  Clock::time_point last_{};
  bool shown_ = false;
};

/// A bar that fills as bytes arrive.
class ProgressBar {
 public:
  ProgressBar(const Terminal& err, std::string_view label);

  /// A total of zero or less means that it is not known.
  void update(std::int64_t done, std::int64_t total);
  void finish() { line_.erase(); }

 private:
  using Clock = std::chrono::steady_clock;

  StatusLine line_;
  std::string label_;
  Clock::time_point start_ = Clock::now();
  std::int64_t first_ =
      -1;  // bytes already there at the first update: a resumed download must not count as fast
};

/// Says what is going on, and for how long, while a call that reports nothing by itself runs. Appears only
/// when that takes longer than a moment.
class Activity {
 public:
  Activity(const Terminal& err, std::string_view label);
  ~Activity() { stop(); }
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  void stop();

 private:
  void tick(const std::stop_token& stop);

  StatusLine line_;
  std::string label_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

/// The text of a bar of that many columns: done of total, and the rate. Exposed for the tests.
std::string progress_text(const std::string& label, std::int64_t done, std::int64_t total,
                          double bytes_per_second, int width);

}  // namespace dshn::cli
