#include "cli/learning/worker_processes.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "dshn/base/error.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every libc's headers

namespace dshn::cli {
namespace {

/// What every worker reads: how many share a GPU, and how many threads each has.
void announce_workers(int jobs, int threads, bool overwrite) {
  setenv("DSHN_GPU_PROCESSES", std::to_string(jobs).c_str(), /*overwrite=*/0);
  for (const char* name : {"OMP_NUM_THREADS", "DSHN_NUM_THREADS"})
    setenv(name, std::to_string(threads).c_str(), overwrite ? 1 : 0);
}

int threads_of_each(int jobs) {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / jobs);
}

pid_t start(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = 0;
  const int error = posix_spawn(&process, "/proc/self/exe", nullptr, nullptr, arguments.data(), environ);
  if (error != 0) throw Failure(fmt::format("cannot start a worker process: {}", std::strerror(error)));
  return process;
}

/// How a process ended that did not end well; empty when it did.
std::string trouble_of(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was killed by signal {}", WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : fmt::format("ended with status {}", WEXITSTATUS(status));
}

/// For as long as it lives, processes that are started ignore the signal.
class IgnoredMeanwhile {
 public:
  explicit IgnoredMeanwhile(int signal) : signal_(signal) {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(signal_, &ignore, &before_);
  }
  ~IgnoredMeanwhile() { sigaction(signal_, &before_, nullptr); }
  IgnoredMeanwhile(const IgnoredMeanwhile&) = delete;
  IgnoredMeanwhile& operator=(const IgnoredMeanwhile&) = delete;

 private:
  int signal_;
  struct sigaction before_ {};
};

}  // namespace

void run_workers(const std::filesystem::path& folder, int splits, int jobs, const Context& context) {
  jobs = std::min(jobs, splits);
  std::vector<std::vector<std::string>> commands;
  for (int job = 0; job < jobs; ++job) {
    commands.push_back({"dshn", "train", "--resume", "--out", folder.string(), "--quiet", "--threads",
                        std::to_string(threads_of_each(jobs))});
    for (int split = job; split < splits; split += jobs)
      commands.back().insert(commands.back().end(), {"--only", std::to_string(split)});
  }
  if (context.err.interactive)
    context.warn(fmt::format("{} splits in {} processes of {} threads", splits, jobs, threads_of_each(jobs)));
  run_commands(commands, jobs, fmt::format("go on with: dshn train --resume --out {}", folder.string()));
}

void run_commands(const std::vector<std::vector<std::string>>& commands, int jobs,
                  const std::string& how_to_go_on) {
  announce_workers(jobs, threads_of_each(jobs), /*overwrite=*/false);
  std::size_t next = 0;
  int running = 0;
  std::string trouble;
  while (running > 0 || (next < commands.size() && trouble.empty())) {
    while (running < jobs && next < commands.size() && trouble.empty()) {
      start(commands[next++]);
      ++running;
    }
    int status = 0;
    if (wait(&status) < 0 && errno == EINTR) continue;
    --running;
    if (trouble.empty()) trouble = trouble_of(status);
  }
  if (!trouble.empty())
    throw Failure(fmt::format("a worker process {}; what is done is kept; {}", trouble, how_to_go_on));
}

WorkerGroup::WorkerGroup(const std::vector<std::string>& words, int copies, int threads) {
  announce_workers(copies, threads, /*overwrite=*/true);
  const IgnoredMeanwhile interrupt(SIGINT);
  const IgnoredMeanwhile hang_up(SIGHUP);
  for (int i = 0; i < copies; ++i) workers_.push_back(start(words));
}

WorkerGroup::~WorkerGroup() {
  ask_to_stop();
  for (const pid_t worker : workers_) {
    while (waitpid(worker, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

int WorkerGroup::running() {
  std::erase_if(workers_, [this](pid_t worker) {
    int status = 0;
    if (waitpid(worker, &status, WNOHANG) != worker) return false;
    if (trouble_.empty()) trouble_ = trouble_of(status);
    return true;
  });
  return static_cast<int>(workers_.size());
}

void WorkerGroup::ask_to_stop() {
  if (asked_) return;  // a second signal would end them without a checkpoint
  asked_ = true;
  for (const pid_t worker : workers_) kill(worker, SIGTERM);
}

void end_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) kill(getpid(), SIGTERM);  // it has ended already
}

}  // namespace dshn::cli
