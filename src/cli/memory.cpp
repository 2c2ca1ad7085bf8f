#include "cli/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>

#include "cli/text.hpp"
#include "dshn/base/error.hpp"

namespace dshn::cli {

std::int64_t available_memory() {
  std::int64_t available = 0;
  std::ifstream file("/proc/meminfo");
  for (std::string key, unit; file >> key;) {
    std::int64_t kibibytes = 0;
    file >> kibibytes;
    std::getline(file, unit);
    if (key == "MemAvailable:") available = kibibytes * 1024;
  }
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    const auto allowed = static_cast<std::int64_t>(limit.rlim_cur);
    available = available == 0 ? allowed : std::min(available, allowed);
  }
  return available;
}

void require_memory(std::int64_t bytes, const std::string& what, const std::string& hint) {
  const std::int64_t available = available_memory();
  if (available == 0 || bytes <= available) return;
  throw Failure(fmt::format("{} needs {} of memory, {} are available; {}", what, human_bytes(bytes),
                            human_bytes(available), hint));
}

}  // namespace dshn::cli
