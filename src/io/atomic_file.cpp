#include "dshn/io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "dshn/base/error.hpp"
#include "dshn/io/file_system.hpp"

namespace dshn::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

/// Nobody can know it before, and put a file or a link there.
fs::path temporary_name(const fs::path& path) {
  std::random_device random;
  const std::uint64_t number = (std::uint64_t{random()} << 32) | random();
  return path.parent_path() / fmt::format(".{}.{:016x}.tmp", path.filename().string(), number);
}

/// Whether the name is one that temporary_name() gives, or gave in version 0.2, to this file.
bool is_temporary_of(const fs::path& path, const std::string& name) {
  const std::string begin = fmt::format(".{}.", path.filename().string());
  return name.size() > begin.size() + 4 && name.starts_with(begin) && name.ends_with(".tmp") &&
         name.find_first_not_of("0123456789abcdef-", begin.size()) == name.size() - 4;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// A rename is on the disk only when its folder is. Some file systems refuse; the file itself is safe by
/// then.
void sync_folder(const fs::path& path) {
  const int descriptor = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)disk::sync(descriptor);
  ::close(descriptor);
}

/// The name behind a symbolic link.
fs::path followed(fs::path path) {
  std::error_code ignored;
  if (!fs::is_symlink(path, ignored)) return path;
  fs::path target = fs::weakly_canonical(path, ignored);
  return target.empty() ? path : target;
}

/// The temporary files and folders that exist now, for remove_unfinished().
class Unfinished {
 public:
  /// The descriptor of a new file or folder, or -1 with the reason in errno. A lock on it says that somebody is at it.
  int create(const fs::path& path, bool folder) {
    const std::lock_guard lock(mutex_);
    if (folder && disk::make_folder(path.c_str()) != 0) return -1;
    const int descriptor =
        folder ? ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
               : disk::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) return -1;
    (void)::flock(descriptor, LOCK_EX);
    struct stat status {};
    if (::fstat(descriptor, &status) == 0 && status.st_nlink == 0) {  // taken for stale before it was locked
      ::close(descriptor);
      errno = EEXIST;
      return -1;
    }
    paths_.insert(path.string());
    return descriptor;
  }
  void remove(const fs::path& path) {
    const std::lock_guard lock(mutex_);
    paths_.erase(path.string());
  }
  /// The lock is kept: nobody may create or finish a file any more.
  void remove_all() {
    mutex_.lock();
    std::error_code ignored;
    for (const std::string& path : paths_) io::remove_tree(path, ignored);
  }

 private:
  std::mutex mutex_;
  std::set<std::string> paths_;
};

/// Never destroyed: a signal may come while the program ends.
Unfinished& unfinished() {
  static auto& instance = *new Unfinished;
  return instance;
}

}  // namespace

void remove_stale(const fs::path& path) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_of(path), ignored)) {
    if (!is_temporary_of(path, entry.path().filename().string())) continue;
    const int descriptor = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) continue;
    // The kernel gives up the locks of a process that ends, however it ends.
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) io::remove_tree(entry.path(), ignored);
    ::close(descriptor);
  }
}

void remove_unfinished() noexcept {
  unfinished().remove_all();
}

AtomicFile::AtomicFile(fs::path path) : path_(followed(std::move(path))) {
  buffer_.reserve(kBufferBytes);
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail("cannot write", EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = disk::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot open for writing", errno);
  } else {
    open_temporary();
    if (exists) (void)disk::set_mode(descriptor_, status.st_mode & 07777);  // a replaced file keeps its mode
  }
}

AtomicFile::~AtomicFile() {
  close();
}

void AtomicFile::open_temporary() {
  remove_stale(path_);
  do {
    temporary_ = temporary_name(path_);
    descriptor_ = unfinished().create(temporary_, /*folder=*/false);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ >= 0) return;
  temporary_.clear();
  fail("cannot create", errno);
}

void AtomicFile::fail(const char* what, int error) const {
  throw Failure(fmt::format("{}: {}: {}", path_.string(), what, std::generic_category().message(error)));
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void AtomicFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() >= kBufferBytes) {
    write_now(bytes);
  } else {
    buffer_ += bytes;
  }
  size_ += static_cast<std::int64_t>(bytes.size());
}

void AtomicFile::write_now(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = disk::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::flush() {
  write_now(buffer_);
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  if (!temporary_.empty()) {
    if (disk::sync(descriptor_) != 0) fail("cannot flush to the disk", errno);
    if (disk::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot rename the finished file", errno);
    unfinished().remove(temporary_);
    temporary_.clear();
    sync_folder(path_);
  }
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0) fail("cannot close", errno);
}

void AtomicFile::close() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (temporary_.empty()) return;
  (void)disk::remove(temporary_.c_str());
  unfinished().remove(temporary_);
  temporary_.clear();
}

AtomicFolder::AtomicFolder(const fs::path& path)
    : path_(followed(fs::absolute(path.has_filename() ? path : path.parent_path()))),
      temporary_(temporary_name(path_)) {
  make_folders(path_.parent_path());
  remove_stale(path_);
  descriptor_ = unfinished().create(temporary_, /*folder=*/true);
  if (descriptor_ >= 0) return;
  throw Failure(
      fmt::format("{}: cannot create the folder: {}", path.string(), std::generic_category().message(errno)));
}

AtomicFolder::~AtomicFolder() {
  std::error_code ignored;
  io::remove_tree(temporary_, ignored);
  unfinished().remove(temporary_);
  ::close(descriptor_);
}

/// What stood under the final name ends up under the temporary one, and goes the way of that folder.
void AtomicFolder::commit() {
  const unsigned how = fs::exists(path_) ? RENAME_EXCHANGE : 0;
  if (disk::rename(temporary_.c_str(), path_.c_str(), how) == 0) return sync_folder(path_);
  if (errno == EINVAL && how == RENAME_EXCHANGE) {
    throw Failure(fmt::format("{}: this file system cannot replace a folder in one step; remove it first",
                              path_.string()));
  }
  throw Failure(fmt::format("{}: cannot rename the finished folder: {}", path_.string(),
                            std::generic_category().message(errno)));
}

void write_file(const fs::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) throw InvalidInput(fmt::format("{}: cannot be read", path.string()));
  return bytes;
}

}  // namespace dshn::io
