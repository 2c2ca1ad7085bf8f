#include "tune/heartbeat.hpp"

#include <chrono>
#include <optional>

#include "dshn/base/error.hpp"

namespace dshn::tune {
namespace {

/// Seldom enough for a slow disk and many workers.
constexpr std::chrono::seconds kBetweenBeats{3};

}  // namespace

Heartbeat::Heartbeat(const StoreAddress& address, const Claim& claim)
    : thread_([this, address, claim](const std::stop_token& stop) { beat(stop, address, claim); }) {}

void Heartbeat::beat(const std::stop_token& stop, const StoreAddress& address, const Claim& claim) {
  std::optional<Store> store;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, stop, kBetweenBeats, [&] { return stop.stop_requested(); })) {
    try {
      if (!store) store.emplace(address);
      if (store->beat(claim)) continue;
      lost_ = true;
      return;
    } catch (const Error&) {
      // A disk or server that does not answer now may answer the next time; the worker's own transactions report it
      // otherwise.
      store.reset();
    }
  }
}

}  // namespace dshn::tune
