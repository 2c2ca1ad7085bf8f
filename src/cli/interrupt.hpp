#pragma once

#include <sys/types.h>

#include <array>
#include <csignal>

namespace dshn::cli {

/// From here on, Ctrl-C, a hang-up and a polite kill end the program with one line and nothing half-written:
/// files in the making are removed, and the exit status is 128 + the signal's number. A pipe that nobody
/// reads any more is reported by write() instead of killing the program. To be called before any other thread
/// is started.
void take_over_signals();

/// For as long as one lives, the first such signal only asks the program to stop: work that can be taken up
/// again later ends it tidily. A second signal ends the program as always.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  bool requested() const;
};

/// The signal that asked so; 0 where none did.
int stopped_by();

/// Processes that are started while one lives do not hear Ctrl-C and hang-ups, which a terminal sends to all of its
/// processes at once.
class DeafChildren {
 public:
  DeafChildren();
  ~DeafChildren();
  DeafChildren(const DeafChildren&) = delete;
  DeafChildren& operator=(const DeafChildren&) = delete;

 private:
  std::array<struct sigaction, 2> before_{};
};

/// The first such signal for another process.
void ask_to_stop(pid_t process);

/// This process is asked to stop when the one that started it ends, however it ends.
void stop_with(pid_t parent);

/// Whether this process works for the one that started it, which says all there is to say.
bool is_worker();

/// The same of a worker process (worker_processes.hpp) with the one that it works for.
void stop_with_master();

}  // namespace dshn::cli
