#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/context.hpp"

namespace dshn::cli {

/// Trains the splits of a prepared run folder in several copies of this program, each with its share of the
/// cores. Returns when all have ended; Failure when one did not end well.
void run_workers(const std::filesystem::path& folder, int splits, int jobs, const Context& context);

/// Runs copies of this program with these words, `jobs` at a time and each with its share of the cores.
/// Failure when one did not end well, after those that were running have ended.
void run_commands(const std::vector<std::vector<std::string>>& commands, int jobs,
                  const std::string& how_to_go_on);

/// Copies of this program that work side by side on something that survives them. They do not hear Ctrl-C and
/// hang-ups, which a terminal sends to all at once: this process decides, and SIGTERM asks them to stop.
class WorkerGroup {
 public:
  /// Each copy with so many threads.
  WorkerGroup(const std::vector<std::string>& words, int copies, int threads);
  /// Asks those that are left to stop and waits for them.
  ~WorkerGroup();
  WorkerGroup(const WorkerGroup&) = delete;
  WorkerGroup& operator=(const WorkerGroup&) = delete;

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

/// For a worker: SIGTERM when the process that started it ends, however it ends.
void end_with(pid_t parent);

}  // namespace dshn::cli
