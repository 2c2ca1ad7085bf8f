#include "cli/learning/worker_processes.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "dshn/base/error.hpp"
#include "dshn/base/system_memory.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every libc's headers

namespace dshn::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenWaits{50};

}  // namespace

void announce_workers(int jobs, int threads, bool overwrite) {
  setenv("DSHN_WORKER_OF", std::to_string(getpid()).c_str(), /*overwrite=*/1);
  setenv("DSHN_GPU_PROCESSES", std::to_string(jobs).c_str(), /*overwrite=*/0);
  setenv("DSHN_MEMORY_SHARE", std::to_string(memory_share(jobs)).c_str(), /*overwrite=*/1);
  for (const char* name : {"OMP_NUM_THREADS", "DSHN_NUM_THREADS"})
    setenv(name, std::to_string(threads).c_str(), overwrite ? 1 : 0);
}

int threads_of_each(int jobs) {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / jobs);
}

pid_t start_worker(std::vector<std::string> words) {
  const DeafChildren deaf;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = 0;
  const int error = posix_spawn(&process, "/proc/self/exe", nullptr, nullptr, arguments.data(), environ);
  if (error != 0) throw Failure(fmt::format("cannot start a worker process: {}", std::strerror(error)));
  return process;
}

std::string trouble_of(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was killed by signal {}", WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : fmt::format("ended with status {}", WEXITSTATUS(status));
}

void run_workers(const std::filesystem::path& folder, int splits, int jobs, const Terminal& err) {
  jobs = std::min(jobs, splits);
  std::vector<std::vector<std::string>> commands;
  for (int job = 0; job < jobs; ++job) {
    commands.push_back({"dshn", "train", "--resume", "--out", folder.string(), "--quiet", "--threads",
                        std::to_string(threads_of_each(jobs))});
    for (int split = job; split < splits; split += jobs)
      commands.back().insert(commands.back().end(), {"--only", std::to_string(split)});
  }
  const Activity activity(
      err, fmt::format("{} splits in {} processes of {} threads", splits, jobs, threads_of_each(jobs)));
  run_commands(commands, jobs, fmt::format("go on with: dshn train --resume --out {}", folder.string()));
}

void run_commands(const std::vector<std::vector<std::string>>& commands, int jobs,
                  const std::string& how_to_go_on, const std::function<void(std::size_t)>& on_done) {
  announce_workers(jobs, threads_of_each(jobs), /*overwrite=*/false);
  const StopRequest stop;
  WorkerGroup workers;
  std::size_t next = 0;
  const auto wanted = [&] {
    return next < commands.size() && workers.trouble().empty() && !stop.requested();
  };
  std::size_t done = 0;
  for (int running = 0; running > 0 || wanted();) {
    for (; running < jobs && wanted(); ++running) workers.start(commands[next++]);
    std::this_thread::sleep_for(kBetweenWaits);
    if (stop.requested()) workers.ask_to_stop();
    running = workers.running();
    if (on_done && next - running > done) on_done(next - running);
    done = next - running;
  }
  if (!stop.requested() && workers.trouble().empty()) return;
  const std::string why = stop.requested() ? "stopped" : "a worker process " + workers.trouble();
  throw Failure(fmt::format("{}; what is done is kept; {}", why, how_to_go_on));
}

WorkerGroup::WorkerGroup(const std::vector<std::string>& words, int copies, int threads) {
  announce_workers(copies, threads, /*overwrite=*/true);
  for (int i = 0; i < copies; ++i) start(words);
}

void WorkerGroup::start(const std::vector<std::string>& words) {
  workers_.push_back(start_worker(words));
}

WorkerGroup::~WorkerGroup() {
  ask_to_stop();
  for (const pid_t worker : workers_) {
    while (waitpid(worker, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  unsetenv("DSHN_MEMORY_SHARE");  // all is this process's again
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
  for (const pid_t worker : workers_) cli::ask_to_stop(worker);
}

}  // namespace dshn::cli
