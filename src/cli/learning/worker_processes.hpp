#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/terminal.hpp"

namespace dshn::cli {

/// Trains the splits of a prepared run folder in several copies of this program, each with its share of the
/// cores, and says on `err` for how long. Returns when all have ended; Failure when one did not end well.
void run_workers(const std::filesystem::path& folder, int splits, int jobs, const Terminal& err);

/// Runs copies of this program with these words, `jobs` at a time and each with its share of the cores.
/// Failure when one did not end well or the program is to stop, after those that were running have ended.
/// `on_done` hears how many have, whenever that changes.
void run_commands(const std::vector<std::vector<std::string>>& commands, int jobs,
                  const std::string& how_to_go_on, const std::function<void(std::size_t)>& on_done = {});

/// What every worker that is started from here on reads: whose it is, how many share a GPU, how much memory and how
/// many threads each has.
void announce_workers(int jobs, int threads, bool overwrite);

/// As many threads for each of them as there are cores.
int threads_of_each(int jobs);

/// A copy of this program with these words. It does not hear Ctrl-C and hang-ups.
pid_t start_worker(std::vector<std::string> words);

/// How a process ended that did not end well ("was killed by signal 9"), from what waitpid said; empty when it did.
std::string trouble_of(int status);

/// Copies of this program that work side by side on something that survives them. Only this process hears Ctrl-C
/// and hang-ups, and asks them to stop.
class WorkerGroup {
 public:
  WorkerGroup() = default;
  /// Each copy with so many threads.
  WorkerGroup(const std::vector<std::string>& words, int copies, int threads);
  /// Asks those that are left to stop and waits for them.
  ~WorkerGroup();
  WorkerGroup(const WorkerGroup&) = delete;
  WorkerGroup& operator=(const WorkerGroup&) = delete;

  void start(const std::vector<std::string>& words);
  /// How many still run; looks, does not wait.
  int running();
  void ask_to_stop();
  /// How the first one that did not end well ended ("was killed by signal 9"); empty when all did so far.
  const std::string& trouble() const { return trouble_; }

 private:
  std::vector<pid_t> workers_;
  std::string trouble_;
  bool asked_ = false;
};

}  // namespace dshn::cli
