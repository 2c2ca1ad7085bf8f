#include "cli/worker_processes.hpp"

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

/// What every worker reads: how many there are on a GPU.
void announce_workers(int jobs) {
  setenv("DSHN_GPU_PROCESSES", std::to_string(jobs).c_str(), /*overwrite=*/0);
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

int exit_status_of(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
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
  const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / jobs);
  announce_workers(jobs);
  std::vector<pid_t> workers;
  for (int job = 0; job < jobs; ++job) {
    std::vector<std::string> words{"dshn",          "train",   "--resume",  "--out",
                                   folder.string(), "--quiet", "--threads", std::to_string(threads)};
    for (int split = job; split < splits; split += jobs) {
      words.push_back("--only");
      words.push_back(std::to_string(split));
    }
    workers.push_back(start(std::move(words)));
  }
  if (context.err.interactive)
    context.warn(fmt::format("{} splits in {} processes of {} threads", splits, jobs, threads));
  int worst = 0;
  for (const pid_t worker : workers) worst = std::max(worst, exit_status_of(worker));
  if (worst != 0) {
    throw Failure(
        fmt::format("a worker process ended with status {}; what is done is kept: dshn train --resume --out "
                    "{}",
                    worst, folder.string()));
  }
}

void run_commands(const std::vector<std::vector<std::string>>& commands, int jobs) {
  announce_workers(jobs);
  const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / jobs);
  setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), /*overwrite=*/0);
  setenv("DSHN_NUM_THREADS", std::to_string(threads).c_str(), /*overwrite=*/0);
  std::size_t next = 0;
  int running = 0;
  int failed = 0;
  while (running > 0 || (next < commands.size() && failed == 0)) {
    while (running < jobs && next < commands.size() && failed == 0) {
      start(commands[next++]);
      ++running;
    }
    int status = 0;
    if (wait(&status) < 0 && errno == EINTR) continue;
    --running;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) ++failed;
  }
  if (failed > 0)
    throw Failure(
        "a worker process did not end well; what is done is kept, and the same command goes on from here");
}

WorkerGroup::WorkerGroup(const std::vector<std::string>& words, int copies, int threads) {
  announce_workers(copies);
  setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), /*overwrite=*/1);
  setenv("DSHN_NUM_THREADS", std::to_string(threads).c_str(), /*overwrite=*/1);
  const IgnoredMeanwhile interrupt(SIGINT);
  const IgnoredMeanwhile hang_up(SIGHUP);
  for (int i = 0; i < copies; ++i) workers_.push_back(start(words));
}

WorkerGroup::~WorkerGroup() {
  ask_to_stop();
  for (const pid_t worker : workers_) exit_status_of(worker);
}

int WorkerGroup::running() {
  std::erase_if(workers_, [this](pid_t worker) {
    int status = 0;
    if (waitpid(worker, &status, WNOHANG) != worker) return false;
    if (WIFSIGNALED(status) && trouble_.empty())
      trouble_ = fmt::format("was killed by signal {}", WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0 && trouble_.empty())
      trouble_ = fmt::format("ended with status {}", WEXITSTATUS(status));
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
