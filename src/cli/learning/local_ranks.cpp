#include "cli/learning/local_ranks.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>

#include "cli/context.hpp"
#include "cli/interrupt.hpp"
#include "cli/kept_errors.hpp"
#include "cli/learning/worker_processes.hpp"
#include "dshn/base/error.hpp"
#include "dshn/ranks/group.hpp"

namespace dshn::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// The variables by which torchrun tells a process its place.
void announce_place(int rank, int size, int port) {
  const auto set = [](const char* name, const std::string& value) { setenv(name, value.c_str(), 1); };
  set("RANK", std::to_string(rank));
  set("WORLD_SIZE", std::to_string(size));
  set("MASTER_ADDR", "127.0.0.1");
  set("MASTER_PORT", std::to_string(port));
  set("TORCHELASTIC_USE_AGENT_STORE", "True");  // this process has opened the port
}

/// The ranks as processes, from their start to the end of the last one.
class RankProcesses {
 public:
  RankProcesses(const std::vector<std::string>& words, int ranks) : meeting_(ranks::Meeting::open()) {
    announce_workers(ranks, threads_of_each(ranks), /*overwrite=*/false);
    for (int rank = 0; rank < ranks; ++rank) {
      announce_place(rank, ranks, meeting_->port());
      auto error = std::make_unique<KeptError>();
      ranks_.push_back({start_worker(words), std::nullopt, std::move(error)});
    }
  }

  ~RankProcesses() {
    end(SIGKILL);
    for (Rank& rank : ranks_)
      if (!rank.status) waitpid(rank.process, nullptr, 0);
  }
  RankProcesses(const RankProcesses&) = delete;
  RankProcesses& operator=(const RankProcesses&) = delete;

  /// Looks, does not wait.
  bool any_runs() {
    std::vector<std::size_t> ended;
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      int status = 0;
      if (ranks_[r].status || waitpid(ranks_[r].process, &status, WNOHANG) != ranks_[r].process) continue;
      ranks_[r].status = status;
      ended.push_back(r);
    }
    // Of those that end together, one that was killed is why the others have ended.
    std::ranges::stable_partition(ended, [&](std::size_t r) { return WIFSIGNALED(*ranks_[r].status); });
    for (const std::size_t r : ended)
      if (!first_bad_ && !trouble_of(*ranks_[r].status).empty()) first_bad_ = r;
    return std::ranges::any_of(ranks_, [](const Rank& rank) { return !rank.status; });
  }

  bool ends_badly() const { return first_bad_.has_value(); }

  void ask_to_stop() {
    if (std::exchange(asked_, true)) return;  // a second signal would end them without a checkpoint
    for (const Rank& rank : ranks_)
      if (!rank.status) cli::ask_to_stop(rank.process);
  }

  void end(int signal) {
    for (const Rank& rank : ranks_)
      if (!rank.status) kill(rank.process, signal);
  }

  [[noreturn]] void report(const std::string& how_to_go_on) const {
    const Rank& first = ranks_[*first_bad_];
    const std::string line = first.error->line();
    const int status = WIFEXITED(*first.status) ? WEXITSTATUS(*first.status) : int{kFailed};
    if (line.empty())
      throw Failure(fmt::format("rank {} {}; {}", *first_bad_, trouble_of(*first.status), how_to_go_on));
    if (status == kWrongUsage) throw UsageError(line);
    if (status == kBadInput) throw InvalidInput(line);
    throw Failure(line);
  }

 private:
  struct Rank {
    pid_t process;
    std::optional<int> status;  // as waitpid says it
    std::unique_ptr<KeptError> error;
  };

  std::unique_ptr<ranks::Meeting> meeting_;
  std::vector<Rank> ranks_;
  std::optional<std::size_t> first_bad_;
  bool asked_ = false;
};

}  // namespace

void run_ranks(const std::vector<std::string>& words, int ranks, double patience,
               const std::string& how_to_go_on) {
  constexpr std::chrono::milliseconds kBetweenLooks{50};
  // The others notice the end of a rank at once, and then look for who is missing; a stop waits for the end of an epoch.
  const auto to_notice = std::chrono::duration<double>(10);
  const auto to_stop = std::chrono::duration<double>(patience + 10);
  const StopRequest stop;
  RankProcesses processes(words, ranks);
  std::optional<Clock::time_point> since;  // there is a reason to end
  while (processes.any_runs()) {
    std::this_thread::sleep_for(kBetweenLooks);
    if (stop.requested()) processes.ask_to_stop();
    if (!since && (processes.ends_badly() || stop.requested())) since = Clock::now();
    const auto grace = processes.ends_badly() && !stop.requested() ? to_notice : to_stop;
    if (since && Clock::now() - *since > grace) processes.end(SIGKILL);
  }
  if (processes.ends_badly()) processes.report(how_to_go_on);
}

}  // namespace dshn::cli
