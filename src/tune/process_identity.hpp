#pragma once

#include <cstdint>
#include <string>

namespace dshn::tune {

/// A process that others can ask after: a number alone may be given to another process later.
struct ProcessIdentity {
  std::string
      host;  // with its start and process namespace: containers of one machine count their processes apart
  std::int64_t pid = 0;
  std::int64_t started = 0;  // in clock ticks since the machine started
};

ProcessIdentity this_process();

enum class Life : std::uint8_t { alive, dead, unknown };

/// Whether the process still runs; unknown for processes of other hosts.
Life life_of(const ProcessIdentity& process);

}  // namespace dshn::tune
