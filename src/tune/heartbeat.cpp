#include "tune/heartbeat.hpp"

#include <chrono>

#include "dshn/base/error.hpp"

namespace dshn::tune {
namespace {

/// Seldom enough for a slow disk and many workers.
constexpr std::chrono::seconds kBetweenBeats{3};

}  // namespace

Heartbeat::Heartbeat(const std::filesystem::path& file, const Claim& claim)
    : thread_([this, file, claim](const std::stop_token& stop) { beat(stop, file, claim); }) {}

void Heartbeat::beat(const std::stop_token& stop, const std::filesystem::path& file, const Claim& claim) {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, stop, kBetweenBeats, [&] { return stop.stop_requested(); })) {
    try {
      if (Store(file).beat(claim)) continue;
      lost_ = true;
      return;
    } catch (const Error&) {
      // A disk that does not answer now may answer the next time; the worker's own transactions report it
      // otherwise.
      continue;
    }
  }
}

}  // namespace dshn::tune
