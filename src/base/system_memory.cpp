#include "dshn/base/system_memory.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

namespace dshn {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

/// The number that a file begins with, or that follows the word in it; nothing for "max" and "unlimited".
std::optional<std::int64_t> number_in(const fs::path& file, const std::string& word = "") {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    if (!line.starts_with(word)) continue;
    std::istringstream rest(line.substr(word.size()));
    std::int64_t value = 0;
    if (rest >> value) return value;
    return std::nullopt;
  }
  return std::nullopt;
}

std::int64_t left_of(std::optional<std::int64_t> limit, std::int64_t used) {
  return limit ? std::max<std::int64_t>(*limit - used, 0) : kUnlimited;
}

/// Names of a control group's files in the two versions of the interface.
struct GroupFiles {
  const char* limit;
  const char* used;
  const char* cached;  // in memory.stat: file pages that are given up when memory is short
};

constexpr GroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", "inactive_file "};

/// The least that a group and those above it leave. In a container the path may be one of the outside, of
/// which only the top is there.
std::int64_t groups_left(const fs::path& top, const fs::path& group, const GroupFiles& names) {
  std::int64_t least = kUnlimited;
  for (fs::path at = group.relative_path();; at = at.parent_path()) {
    const fs::path folder = top / at;
    const std::int64_t cached = number_in(folder / "memory.stat", names.cached).value_or(0);
    const std::int64_t used = number_in(folder / names.used).value_or(0);
    least = std::min(least, left_of(number_in(folder / names.limit), used - cached));
    if (at.empty()) return least;
  }
}

/// From the lines "number:controllers:path" of proc/self/cgroup (cgroups(7)).
std::int64_t control_groups_left(const fs::path& root) {
  const fs::path groups = root / "sys/fs/cgroup";
  std::int64_t least = kUnlimited;
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
    const std::string path = line.substr(second + 1);
    if (controllers == ",,") least = std::min(least, groups_left(groups, path, kVersion2));
    if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least, groups_left(groups / "memory", path, kVersion1));
  }
  return least;
}

/// What the machine and its control groups leave to all processes together.
std::int64_t shared_left(const fs::path& root) {
  const auto machine = number_in(root / "proc/meminfo", "MemAvailable:");
  return std::min(machine ? *machine * kKiB : kUnlimited, control_groups_left(root));
}

/// What a limit of the process itself leaves, by its words in proc/self/limits and proc/self/status.
std::int64_t own_left(const fs::path& root, const char* limit, const char* used) {
  const fs::path self = root / "proc/self";
  return left_of(number_in(self / "limits", limit), kKiB * number_in(self / "status", used).value_or(0));
}

}  // namespace

std::int64_t available_memory(const fs::path& root, std::int64_t share) {
  // Pages of libraries and of files are there once for all processes.
  const std::int64_t held = kKiB * number_in(root / "proc/self/status", "RssAnon:").value_or(0);
  const std::int64_t rest = share == kUnlimited ? kUnlimited : std::max<std::int64_t>(share - held, 0);
  return std::min(
      {shared_left(root), address_space_left(root), own_left(root, "Max data size", "VmData:"), rest});
}

std::int64_t address_space_left(const fs::path& root) {
  return own_left(root, "Max address space", "VmSize:");
}

std::int64_t memory_share(int processes, const fs::path& root) {
  const std::int64_t shared = shared_left(root);
  return shared == kUnlimited ? kUnlimited : shared / processes;
}

double peak_mib() {
  // getrusage() of the process itself would count what the program that started it has held.
  const std::int64_t own = number_in("/proc/self/status", "VmHWM:").value_or(0);
  rusage children{};
  getrusage(RUSAGE_CHILDREN, &children);
  return static_cast<double>(std::max<std::int64_t>(own, children.ru_maxrss)) / kKiB;
}

void forget(std::span<std::byte> memory) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* begin = memory.data();
  std::size_t room = memory.size();
  if (std::align(page, page, begin, room) == nullptr) return;  // not one whole page
  madvise(begin, room - room % page, MADV_DONTNEED);           // a wish: without it the memory is freed later
}

}  // namespace dshn
