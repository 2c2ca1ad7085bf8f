#include "tune/process_identity.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

namespace dshn::tune {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  // Machines may have the same name; no two starts of a machine have the same number.
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  file >> boot;
  std::error_code unknown;
  return fmt::format("{} {} {}", name.data(), boot,
                     std::filesystem::read_symlink("/proc/self/ns/pid", unknown).string());
}

struct ProcessState {
  char state = '?';
  std::int64_t started = 0;
};

/// From /proc/PID/stat, whose second field, in brackets, may hold anything (proc(5)).
std::optional<ProcessState> state_of(std::int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t bracket = text.rfind(')');
  if (bracket == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(bracket + 1));
  ProcessState result;
  fields >> result.state;
  std::string skipped;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  fields >> result.started;
  return result;
}

}  // namespace

ProcessIdentity this_process() {
  const auto pid = static_cast<std::int64_t>(getpid());
  const std::optional<ProcessState> state = state_of(pid);
  return {host_name(), pid, state ? state->started : 0};
}

Life life_of(const ProcessIdentity& process) {
  if (process.host != host_name()) return Life::unknown;
  const std::optional<ProcessState> state = state_of(process.pid);
  const bool gone = !state || state->state == 'Z' || state->state == 'X' || state->started != process.started;
  return gone ? Life::dead : Life::alive;
}

}  // namespace dshn::tune
