#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "dshn/tune/store.hpp"

namespace dshn::tune {

/// Tells the study every few seconds that the worker of a trial lives, from a thread and a connection of its
/// own.
class Heartbeat {
 public:
  Heartbeat(const StoreAddress& address, const Claim& claim);

  /// Whether another worker has the trial now.
  bool lost() const { return lost_; }

 private:
  void beat(const std::stop_token& stop, const StoreAddress& address, const Claim& claim);

  std::atomic<bool> lost_{false};
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // last: it ends before what it uses goes
};

}  // namespace dshn::tune
