#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "support/temporary_folder.hpp"

namespace dshn::tune::test {

enum class Moment : std::uint8_t { before_it_is_sent, before_it_is_answered };

/// Stands between a client and a PostgreSQL server's socket, and cuts a connection when the client says COMMIT: the
/// server has not heard it then, or has done it and nobody is told.
class BreakingProxy {
 public:
  explicit BreakingProxy(const std::filesystem::path& server);
  ~BreakingProxy();
  BreakingProxy(const BreakingProxy&) = delete;
  BreakingProxy& operator=(const BreakingProxy&) = delete;

  /// Where its socket is.
  const std::filesystem::path& folder() const { return folder_.path(); }
  void break_at_next_commit(Moment moment);
  /// How many connections were cut.
  int broken() const { return broken_; }

 private:
  void listen();
  void pass_on(int client);

  TemporaryFolder folder_;
  std::filesystem::path server_;
  std::atomic<bool> is_armed_{false};
  std::atomic<Moment> moment_{Moment::before_it_is_sent};
  std::atomic<int> broken_{0};
  std::atomic<bool> ends_{false};
  int listener_ = -1;
  std::vector<std::jthread> connections_;
  std::jthread thread_;
};

}  // namespace dshn::tune::test
