#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

/// The one place that changes files: nobody else opens one for writing, makes, renames or removes anything. So a
/// test can let any of these calls go wrong, and see what becomes of what was under way.
namespace dshn::io {

/// The folder with all above it, where they are not there yet. Throws Failure, as do the others.
void make_folders(const std::filesystem::path& folder);
/// A file, a link, or a folder with all that is in it; nothing where there is nothing. Links are not followed.
void remove_tree(const std::filesystem::path& path);
void remove_tree(const std::filesystem::path& path, std::error_code& error);
/// Replaces a file that has the name.
void move_to(const std::filesystem::path& from, const std::filesystem::path& to);

/// The calls themselves, as the system has them: less than 0, with the reason in errno, where they fail.
namespace disk {

int open(const char* path, int flags, mode_t mode = 0666);
/// A new file; the six X at the end of the name are replaced.
int open_temporary(std::string& name, int flags);
ssize_t write(int descriptor, const void* bytes, std::size_t size);
ssize_t write_at(int descriptor, const void* bytes, std::size_t size, off_t offset);
int sync(int descriptor);
int truncate(int descriptor, off_t size);
int set_mode(int descriptor, mode_t mode);
/// `how` as for renameat2.
int rename(const char* from, const char* to, unsigned how = 0);
int make_folder(const char* path, mode_t mode = 0777);
/// A file, or a folder that is empty.
int remove(const char* path);

}  // namespace disk

/// What a test lets happen at one of the calls of this process.
enum class Fault {
  none,
  fail,  ///< it fails, and the next one goes well
  full,  ///< it and all after it fail that need room on the disk; half of what is to be written still has it
  cut,   ///< of what is to be written only half is, as the system may do
  end,   ///< the process is killed: half of what was to be written is, anything else is not done
};

/// For the call of this number from now on, the first is 1. `error` is what it fails with (EIO, ENOSPC).
void plan_fault(Fault fault, std::int64_t at, int error);

struct FaultRecord {
  std::int64_t calls = 0;
  bool happened = false;
};
/// Since the plan, or since the process began.
FaultRecord fault_record();

}  // namespace dshn::io
