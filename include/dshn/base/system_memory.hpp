#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>

namespace dshn {

/// Bytes that this process can still get without swapping: what the machine has left, and what every control
/// group above the process (version 1 or 2) and its own limits of address space and data leave of it. The
/// largest number where nothing says. Read from proc and sys/fs/cgroup under `root`. Where a process has a share of
/// the memory it gets no more than that, less what it holds.
std::int64_t available_memory(const std::filesystem::path& root = "/",
                              std::int64_t share = std::numeric_limits<std::int64_t>::max());

/// Bytes that each of several processes may come to hold that are started now, so that there is enough for all: of
/// what the machine and the control groups have left. Limits of a process are each one's own.
std::int64_t memory_share(int processes, const std::filesystem::path& root = "/");

/// Bytes of addresses that the process's own limit (ulimit -v) leaves it; the largest number where there is none.
std::int64_t address_space_left(const std::filesystem::path& root = "/");

/// Largest resident size that this process or a child of it has had, in MiB.
double peak_mib();

/// Gives the whole pages of memory that nobody will read again back to the system, while its owner still holds it. What
/// it held is lost.
void forget(std::span<std::byte> memory);

}  // namespace dshn
