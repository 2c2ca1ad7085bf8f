#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace dshn::io {

/// A file that appears under its name complete or not at all. Bytes go to a hidden temporary file in the same
/// folder, whose name nobody can guess; commit() flushes it to the disk and renames it. Without commit() the destructor removes the
/// temporary file and what stood under the name before is untouched.
///
/// A symbolic link is followed. What is not a regular file (a pipe, a terminal, /dev/null) is written in
/// place. Every error of the system is a Failure that names the path and the reason.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void write(std::span<const std::byte> bytes);
  /// Nothing may be written after it.
  void commit();

  const std::filesystem::path& path() const { return path_; }
  std::int64_t size() const { return size_; }

 private:
  [[noreturn]] void fail(const char* what, int error) const;
  void open_temporary();
  void write_now(std::string_view bytes);
  void flush();
  void close() noexcept;

  std::filesystem::path path_;
  std::filesystem::path temporary_;  // empty when written in place
  std::string buffer_;
  std::int64_t size_ = 0;
  int descriptor_ = -1;
};

/// A folder that appears under its name complete or not at all: what is to be in it is written into
/// temporary(), a hidden folder beside it, which commit() gives its final name in one step. Without commit()
/// the destructor removes it, and what stood under the name before is untouched. A symbolic link is followed.
class AtomicFolder {
 public:
  /// The name may end in a slash. Throws Failure, as does commit().
  explicit AtomicFolder(const std::filesystem::path& path);
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  const std::filesystem::path& temporary() const { return temporary_; }
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
};

/// Removes what killed programs left of this file or folder before it had its name. Those that are alive are seen by
/// their locks, and left alone. It is done whenever the file is written again.
void remove_stale(const std::filesystem::path& path);

/// Removes the temporary file or folder of everything that is not committed yet. Only for a program that is
/// about to end without running destructors, because of a signal.
void remove_unfinished() noexcept;

/// Writes a small file at once.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// The whole of a file. Throws InvalidInput when it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace dshn::io
