#include "dshn/io/file_system.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "dshn/base/error.hpp"

namespace dshn::io {
namespace fs = std::filesystem;
namespace {

std::atomic<Fault> planned{Fault::none};
std::atomic<std::int64_t> planned_at{0};
std::atomic<int> planned_error{EIO};
std::atomic<std::int64_t> calls{0};
std::atomic<bool> happened{false};

/// Whether a call asks for room on the disk.
enum class Needs { nothing, room };

/// Counts the call, and says what is to happen to it.
Fault next_fault(Needs needs) {
  const std::int64_t number = ++calls;
  const Fault fault = planned.load();
  const bool due = fault == Fault::full ? number >= planned_at && needs == Needs::room : number == planned_at;
  if (fault == Fault::none || !due) return Fault::none;
  return fault;
}

[[noreturn]] void end_here() {
  ::kill(::getpid(), SIGKILL);
  std::abort();  // is not reached
}

/// Whether the call is to fail, with errno set; there is no half of a call that writes nothing.
bool fails(Needs needs) {
  const Fault fault = next_fault(needs);
  if (fault == Fault::end) end_here();
  if (fault != Fault::fail && fault != Fault::full) return false;
  happened = true;
  errno = planned_error;
  return true;
}

/// `put(size)` writes the first bytes of those that are to be written.
template <typename Put>
ssize_t write_or_fail(std::size_t size, const Put& put) {
  const Fault fault = next_fault(Needs::room);
  if (fault == Fault::none) return put(size);
  const bool first = !happened.exchange(true);
  const std::size_t half = size / 2;
  switch (fault) {
    case Fault::end:
      (void)put(half);
      end_here();
    case Fault::cut:
      return put(half > 0 ? half : size);
    case Fault::full:
      if (first && half > 0) return put(half);
      [[fallthrough]];
    default:
      errno = planned_error;
      return -1;
  }
}

std::error_code last_error() {
  return {errno, std::generic_category()};
}

[[noreturn]] void fail(const fs::path& path, const char* what, const std::error_code& error) {
  throw Failure(fmt::format("{}: {}: {}", path.string(), what, error.message()));
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

void make_folders(const fs::path& folder, std::error_code& error) {
  if (folder.empty() || is_folder(folder)) return;
  make_folders(folder.has_filename() ? folder.parent_path() : folder.parent_path().parent_path(), error);
  if (error || disk::make_folder(folder.c_str()) == 0) return;
  error = last_error();
  if (errno != EEXIST) return;
  // Another process has made it meanwhile, or it is a file.
  error = is_folder(folder) ? std::error_code() : std::make_error_code(std::errc::not_a_directory);
}

}  // namespace

namespace disk {

int open(const char* path, int flags, mode_t mode) {
  return fails(Needs::room) ? -1 : ::open(path, flags, mode);
}

int open_temporary(std::string& name, int flags) {
  return fails(Needs::room) ? -1 : ::mkostemp(name.data(), flags);
}

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  return write_or_fail(size, [&](std::size_t part) { return ::write(descriptor, bytes, part); });
}

ssize_t write_at(int descriptor, const void* bytes, std::size_t size, off_t offset) {
  return write_or_fail(size, [&](std::size_t part) { return ::pwrite(descriptor, bytes, part, offset); });
}

int sync(int descriptor) {
  return fails(Needs::room) ? -1 : ::fsync(descriptor);
}

int truncate(int descriptor, off_t size) {
  return fails(Needs::nothing) ? -1 : ::ftruncate(descriptor, size);
}

int set_mode(int descriptor, mode_t mode) {
  return fails(Needs::nothing) ? -1 : ::fchmod(descriptor, mode);
}

int rename(const char* from, const char* to, unsigned how) {
  if (fails(Needs::nothing)) return -1;
  return how == 0 ? std::rename(from, to) : ::renameat2(AT_FDCWD, from, AT_FDCWD, to, how);
}

int make_folder(const char* path, mode_t mode) {
  return fails(Needs::room) ? -1 : ::mkdir(path, mode);
}

int remove(const char* path) {
  return fails(Needs::nothing) ? -1 : std::remove(path);
}

}  // namespace disk

void make_folders(const fs::path& folder) {
  std::error_code error;
  make_folders(folder, error);
  if (error) fail(folder, "cannot be created", error);
}

void remove_tree(const fs::path& path, std::error_code& error) {
  error.clear();
  std::error_code gone;  // what is not there any more need not be removed
  if (fs::is_directory(fs::symlink_status(path, gone))) {
    std::vector<fs::path> inside;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, gone))
      inside.push_back(entry.path());
    for (const fs::path& entry : inside) {
      remove_tree(entry, error);
      if (error) return;
    }
  }
  if (disk::remove(path.c_str()) != 0 && errno != ENOENT && errno != ENOTDIR) error = last_error();
}

void remove_tree(const fs::path& path) {
  std::error_code error;
  remove_tree(path, error);
  if (error) fail(path, "cannot be removed", error);
}

void move_to(const fs::path& from, const fs::path& to) {
  if (disk::rename(from.c_str(), to.c_str()) != 0) fail(to, "cannot be given its name", last_error());
}

void plan_fault(Fault fault, std::int64_t at, int error) {
  calls = 0;
  happened = false;
  planned_at = at;
  planned_error = error;
  planned = fault;
}

FaultRecord fault_record() {
  return {calls, happened};
}

}  // namespace dshn::io
