#include "cli/interrupt.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include "cli/terminal.hpp"
#include "dshn/io/atomic_file.hpp"

namespace dshn::cli {
namespace {

constexpr std::array kDeadly{SIGINT, SIGTERM, SIGHUP};
constexpr std::array kOfTerminals{SIGINT, SIGHUP};

/// nohup and shells that start a job in the background ask for a signal to be ignored; that is respected.
bool ignored(int signal) {
  struct sigaction current {};
  return sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

std::atomic<int> requests{0};  // alive
std::atomic<int> stop_signal{0};

/// The process that this one works for; 0 where it works for itself.
pid_t master() {
  const char* const text = std::getenv("DSHN_WORKER_OF");
  return text == nullptr ? 0 : static_cast<pid_t>(std::strtol(text, nullptr, 10));
}

/// An ordinary thread waits for the signals: unlike a signal handler it may lock, allocate and remove files.
void watch(sigset_t signals, bool quietly) {
  int signal = 0;
  if (sigwait(&signals, &signal) != 0) return;
  if (requests.load() > 0) {
    stop_signal.store(signal);
    // timeout and some shells send a signal to the process and to its group: that is one request, not two.
    constexpr std::chrono::milliseconds kSameRequest{300};
    const auto asked = std::chrono::steady_clock::now();
    do {
      if (sigwait(&signals, &signal) != 0) return;
    } while (std::chrono::steady_clock::now() - asked < kSameRequest);
  }
  io::remove_unfinished();
  if (quietly) _exit(128 + signal);
  constexpr std::string_view kLine = "dshn: interrupted; nothing half-written is left\n";
  const Terminal terminal = Terminal::of(STDERR_FILENO);
  if (terminal.interactive) terminal.show(kEraseDown);
  terminal.show(kLine);
  _exit(128 + signal);
}

}  // namespace

StopRequest::StopRequest() {
  ++requests;
}

StopRequest::~StopRequest() {
  --requests;
}

bool StopRequest::requested() const {
  return stop_signal.load() != 0;
}

int stopped_by() {
  return stop_signal.load();
}

DeafChildren::DeafChildren() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  for (std::size_t i = 0; i < kOfTerminals.size(); ++i) sigaction(kOfTerminals[i], &ignore, &before_[i]);
}

DeafChildren::~DeafChildren() {
  for (std::size_t i = 0; i < kOfTerminals.size(); ++i) sigaction(kOfTerminals[i], &before_[i], nullptr);
}

void ask_to_stop(pid_t process) {
  kill(process, SIGTERM);
}

void stop_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) ask_to_stop(getpid());  // it has ended already
}

bool is_worker() {
  return master() == getppid();
}

void stop_with_master() {
  if (master() != 0) stop_with(master());
}

void take_over_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of write()
  sigset_t signals;
  sigemptyset(&signals);
  bool any = false;
  for (const int signal : kDeadly) {
    if (ignored(signal)) continue;
    sigaddset(&signals, signal);
    any = true;
  }
  if (!any) return;
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread(watch, signals, is_worker()).detach();
}

}  // namespace dshn::cli
