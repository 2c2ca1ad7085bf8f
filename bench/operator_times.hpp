#pragma once

#include <ATen/record_function.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace dshn::bench {

/// Time spent in each of libtorch's operators on this thread while the object lives, callees not counted.
class OperatorTimes {
 public:
  OperatorTimes()
      : handle_(at::addThreadLocalCallback(
            at::RecordFunctionCallback(&begin, &end).scopes({at::RecordScope::FUNCTION}))) {
    current() = this;
  }
  ~OperatorTimes() {
    at::removeCallback(handle_);
    current() = nullptr;
  }
  OperatorTimes(const OperatorTimes&) = delete;
  OperatorTimes& operator=(const OperatorTimes&) = delete;

  /// Seconds by name.
  const std::map<std::string, double>& seconds() const { return seconds_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Frame {
    std::string name;
    Clock::time_point start;
    double callees = 0;
  };

  static OperatorTimes*& current() {
    static thread_local OperatorTimes* times = nullptr;
    return times;
  }

  static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) {
    current()->stack_.push_back({function.name(), Clock::now()});
    return nullptr;
  }

  static void end(const at::RecordFunction&, at::ObserverContext*) {
    std::vector<Frame>& stack = current()->stack_;
    const Frame frame = stack.back();
    stack.pop_back();
    const double whole = std::chrono::duration<double>(Clock::now() - frame.start).count();
    current()->seconds_[frame.name] += whole - frame.callees;
    if (!stack.empty()) stack.back().callees += whole;
  }

  at::CallbackHandle handle_;
  std::vector<Frame> stack_;
  std::map<std::string, double> seconds_;
};

}  // namespace dshn::bench
