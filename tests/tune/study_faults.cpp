// Workers of a study on a PostgreSQL server are killed, and the server is started again, at random moments: every trial
// is made once, and figures and winner are those of one undisturbed worker with SQLite.
// Usage: study_faults [WORKERS TRIALS KILLS RESTARTS SEED]; prints what came of it. Status 1 where it is another study.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "dshn/base/random.hpp"
#include "support/postgres_server.hpp"
#include "tune/small_study.hpp"

namespace dshn::tune {
namespace {

struct Counts {
  int workers = 4;
  int trials = 200;
  int kills = 20;
  int restarts = 5;
  int seed = 1;
};

StudyRequest grid_of(int trials) {
  StudyRequest request = test::small_request();
  request.settings.set["epochs"] = "20";
  request.sampler = "grid";
  request.halving = false;
  Parameter rates{"lr", {}};
  for (int i = 0; i < (trials + 1) / 2; ++i) rates.values.push_back(fmt::format("{:.3f}", 0.001 * (i + 1)));
  request.space = {{"layers", {"1", "2"}}, rates};
  return request;
}

StudyPlace on_server(const std::string& url, const std::filesystem::path& folder) {
  return {folder, StoreAddress::on_server(url, "study").known_to_answer()};
}

/// This program again, as a worker of a study: on the server of this URL, or none.
pid_t start_worker(const std::string& url, const std::filesystem::path& folder) {
  const pid_t process = fork();
  if (process != 0) return process;
  setenv("OMP_NUM_THREADS", "1", 1);
  execl("/proc/self/exe", "study_faults", "--work", url.c_str(), folder.c_str(), nullptr);
  _exit(127);
}

/// The workers of a study, of which new ones take the places of those that are killed.
class Workers {
 public:
  Workers(int count, const StudyPlace& study, std::string url) : study_(study), url_(std::move(url)) {
    for (int i = 0; i < count; ++i) processes_.push_back(start_worker(url_, study_.folder));
  }
  ~Workers() {
    for (const pid_t process : processes_) {
      kill(process, SIGKILL);
      waitpid(process, nullptr, 0);
    }
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void kill_one(Random& random) {
    pid_t& process = processes_[random.below(processes_.size())];
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
    process = start_worker(url_, study_.folder);
  }
  /// How many have ended badly.
  int wait() {
    int bad = 0;
    for (const pid_t process : processes_) {
      int status = 0;
      waitpid(process, &status, 0);
      bad += static_cast<int>(status != 0);
    }
    processes_.clear();
    return bad;
  }

 private:
  StudyPlace study_;
  std::string url_;
  std::vector<pid_t> processes_;
};

/// Waits until so many trials are finished.
void await(const StudyPlace& study, int finished) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(10);
  while (Summary::read(study).finished() < finished) {
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("the study does not get on");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

/// The disturbances in a random order, spread over the first nine tenths of the trials. How many workers ended badly.
int disturbed_study(const StudyPlace& study, PostgresServer& server, const Counts& counts) {
  Random random(static_cast<std::uint64_t>(counts.seed));
  std::vector<bool> is_kill(static_cast<std::size_t>(counts.kills + counts.restarts));
  std::fill_n(is_kill.begin(), counts.kills, true);
  for (std::size_t i = is_kill.size(); i > 1; --i) {
    const bool last = is_kill[i - 1];
    const std::size_t other = random.below(i);
    is_kill[i - 1] = is_kill[other];
    is_kill[other] = last;
  }
  Workers workers(counts.workers, study, server.url());
  for (std::size_t i = 0; i < is_kill.size(); ++i) {
    await(study, static_cast<int>(i) * counts.trials * 9 / 10 / static_cast<int>(is_kill.size()));
    std::this_thread::sleep_for(std::chrono::milliseconds(random.below(200)));
    if (is_kill[i])
      workers.kill_one(random);
    else
      server.restart();
  }
  return workers.wait();
}

bool is_once(const Trial& trial, int number, int splits) {
  return trial.number == number && trial.state == TrialState::completed &&
         trial.validation.size() == static_cast<std::size_t>(splits);
}

int compare(const Counts& counts) {
  if (!PostgresServer::is_installed()) {
    fmt::print("SKIPPED: no PostgreSQL server is installed\n");
    return 77;
  }
  const TemporaryFolder files;
  const StudyRequest request = grid_of(counts.trials);
  const std::filesystem::path alone = files / "alone";
  std::filesystem::create_directories(alone);
  Store::create(database_file(alone), request.to_text(), counts.trials);
  int bad = Workers(1, alone, "").wait();

  PostgresServer server;
  const StudyPlace study = on_server(server.url(), files / "disturbed");
  std::filesystem::create_directories(study.folder);
  Store::create(study.store, request.to_text(), counts.trials);
  bad += disturbed_study(study, server, counts);

  const Summary one = Summary::read(alone);
  const Summary other = Summary::read(study);
  int taken_up = 0;
  int wrong = static_cast<int>(other.trials.size()) == counts.trials ? 0 : 1;
  for (int i = 0; wrong == 0 && i < counts.trials; ++i) {
    const Trial& trial = other.trials[static_cast<std::size_t>(i)];
    const Trial& expected = one.trials[static_cast<std::size_t>(i)];
    taken_up += static_cast<int>(trial.attempt > 1);
    wrong += static_cast<int>(!is_once(trial, i, request.settings.splits) || trial.set != expected.set ||
                              trial.validation != expected.validation);
  }
  const int winner = other.best() == nullptr ? -1 : other.best()->number;
  const bool same = one.best() != nullptr && one.best()->number == winner;
  fmt::print(
      "{} workers, {} trials, {} kills, {} restarts of the server, seed {}: {} trials in the study, {} of "
      "them taken "
      "up from a killed worker, {} other than with SQLite; winner {}, with SQLite {}; {} workers ended "
      "badly\n",
      counts.workers, counts.trials, counts.kills, counts.restarts, counts.seed, other.trials.size(),
      taken_up, wrong, winner, one.best() == nullptr ? -1 : one.best()->number, bad);
  return wrong == 0 && same && bad == 0 ? 0 : 1;
}

}  // namespace
}  // namespace dshn::tune

int main(int argc, char** argv) {
  using namespace dshn::tune;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 3 && words[0] == "--work") {
    work(words[1].empty() ? StudyPlace(words[2]) : on_server(words[1], words[2]), nullptr);
    return 0;
  }
  Counts counts;
  int* const all[] = {&counts.workers, &counts.trials, &counts.kills, &counts.restarts, &counts.seed};
  for (std::size_t i = 0; i < words.size() && i < std::size(all); ++i) *all[i] = std::atoi(words[i].c_str());
  return compare(counts);
}
