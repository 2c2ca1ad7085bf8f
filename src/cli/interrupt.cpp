#include "cli/interrupt.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <string_view>
#include <thread>

#include "dshn/io/atomic_file.hpp"

namespace dshn::cli {
namespace {

constexpr std::array kDeadly{SIGINT, SIGTERM, SIGHUP};

/// nohup and shells that start a job in the background ask for a signal to be ignored; that is respected.
bool ignored(int signal) {
  struct sigaction current {};
  return sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

std::atomic<bool> stops_softly{false};
std::atomic<int> stop_signal{0};

/// An ordinary thread waits for the signals: unlike a signal handler it may lock, allocate and remove files.
void watch(sigset_t signals) {
  int signal = 0;
  if (sigwait(&signals, &signal) != 0) return;
  if (stops_softly.load()) {
    stop_signal.store(signal);
    // timeout and some shells send a signal to the process and to its group: that is one request, not two.
    constexpr std::chrono::milliseconds kSameRequest{300};
    const auto asked = std::chrono::steady_clock::now();
    do {
      if (sigwait(&signals, &signal) != 0) return;
    } while (std::chrono::steady_clock::now() - asked < kSameRequest);
  }
  io::remove_unfinished();
  constexpr std::string_view kLine = "dshn: interrupted; nothing half-written is left\n";
  if (isatty(STDERR_FILENO) == 1) {
    [[maybe_unused]] const auto newline = write(STDERR_FILENO, "\n", 1);
  }
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kLine.data(), kLine.size());
  _exit(128 + signal);
}

}  // namespace

StopRequest::StopRequest() {
  stops_softly.store(true);
}

StopRequest::~StopRequest() {
  stops_softly.store(false);
}

bool StopRequest::requested() const {
  return stop_signal.load() != 0;
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
  std::thread(watch, signals).detach();
}

}  // namespace dshn::cli
