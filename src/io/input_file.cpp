#include "io/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "dshn/base/error.hpp"
#include "dshn/base/system_memory.hpp"

namespace dshn::io {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 18;

std::string last_reason() {
  return std::generic_category().message(errno);
}

/// Calls a function of the system again where a signal got in its way.
template <typename F>
ssize_t uninterrupted(F&& call) {
  ssize_t got = 0;
  do {
    got = call();
  } while (got < 0 && errno == EINTR);
  return got;
}

struct Closing {
  int descriptor;
  ~Closing() { ::close(descriptor); }
};

/// All that comes out of a descriptor. A writer that never ends is stopped by the memory there is.
std::string all_of(int descriptor, const std::string& name) {
  constexpr std::size_t kBetweenLooks = std::size_t{1} << 27;
  std::string all;
  std::size_t size = 0;
  ssize_t got = 0;
  do {
    if (size % kBetweenLooks<kReadBytes&& static_cast<std::int64_t>(2 * size)> available_memory())
      throw Failure(
          fmt::format("{}: more than {} MiB, for which there is not enough memory", name, size >> 20));
    all.resize(size + kReadBytes);
    got = uninterrupted([&] { return ::read(descriptor, all.data() + size, kReadBytes); });
    if (got < 0) throw InvalidInput(fmt::format("{}: cannot read: {}", name, last_reason()));
    size += static_cast<std::size_t>(got);
  } while (got > 0);
  all.resize(size);
  return all;
}

/// Read the first time it is asked for.
const std::string& standard_input() {
  static const std::string text = all_of(STDIN_FILENO, "standard input");
  return text;
}

/// What came out of a pipe, which can be read once: kept under the pipe's own number, whatever path names it. To open
/// it again would wait for a writer that has gone.
const std::string& content_of_pipe(const std::filesystem::path& path, const struct stat& status) {
  static std::mutex mutex;
  static std::map<std::pair<dev_t, ino_t>, std::string> read_before;
  const std::lock_guard lock(mutex);
  const std::pair key(status.st_dev, status.st_ino);
  if (const auto found = read_before.find(key); found != read_before.end()) return found->second;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw InvalidInput(fmt::format("{}: cannot open: {}", path.string(), last_reason()));
  const Closing closing{descriptor};
  return read_before[key] = all_of(descriptor, path.string());
}

}  // namespace

std::string shown_path(const std::filesystem::path& path) {
  return path == kStandardInput ? "standard input" : path.string();
}

InputFile::InputFile(const std::filesystem::path& path) : name_(shown_path(path)) {
  if (path == kStandardInput) {
    memory_ = standard_input();
    size_ = memory_.size();
    return;
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode)) {
    memory_ = content_of_pipe(path, status);
    size_ = memory_.size();
    return;
  }
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw InvalidInput(fmt::format("{}: cannot open: {}", name_, last_reason()));
  if (::fstat(descriptor_, &status) != 0 || S_ISDIR(status.st_mode)) {
    ::close(descriptor_);
    throw InvalidInput(fmt::format("{}: is a folder; expected a file", name_));
  }
  size_ = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t InputFile::read(std::span<char> out) {
  if (descriptor_ < 0) {
    const std::size_t piece = memory_.substr(taken_).copy(out.data(), out.size());
    taken_ += piece;
    return piece;
  }
  const ssize_t got = uninterrupted([&] { return ::read(descriptor_, out.data(), out.size()); });
  if (got < 0) throw InvalidInput(fmt::format("{}: cannot read: {}", name_, last_reason()));
  return static_cast<std::size_t>(got);
}

void InputFile::read_at(std::uint64_t position, std::span<std::byte> out) const {
  if (descriptor_ < 0 && position <= size_ && out.size() <= size_ - position) {
    std::memcpy(out.data(), memory_.data() + position, out.size());
    return;
  }
  while (!out.empty()) {
    const ssize_t got = uninterrupted(
        [&] { return ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(position)); });
    if (got <= 0) {
      throw InvalidInput(fmt::format("{}, byte {}: cannot read: {}", name_, position,
                                     got < 0 ? last_reason() : "the file ends here"));
    }
    out = out.subspan(static_cast<std::size_t>(got));
    position += static_cast<std::uint64_t>(got);
  }
}

InputFile::Contents InputFile::contents() const {
  if (descriptor_ < 0) return {std::as_bytes(std::span(memory_)), std::make_shared<char>()};
  if (size_ == 0) return {{}, std::make_shared<char>()};
  const std::size_t size = size_;
  void* const memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (memory == MAP_FAILED) throw Failure(fmt::format("{}: cannot be mapped: {}", name_, last_reason()));
  return {{static_cast<const std::byte*>(memory), size},
          std::shared_ptr<const void>(memory, [size](void* mapped) { ::munmap(mapped, size); })};
}

/// No larger than the file, where that is known.
ByteInput::ByteInput(const std::filesystem::path& path)
    : file_(path),
      buffer_(file_.size() == 0 ? kReadBytes : std::min<std::size_t>(kReadBytes, file_.size())) {}

std::size_t ByteInput::read_now(std::span<char> out) {
  const std::size_t got = file_.read(out);
  read_ += static_cast<std::int64_t>(got);
  return got;
}

std::string_view ByteInput::peek() {
  if (rest_.empty()) rest_ = {buffer_.data(), read_now(buffer_)};
  return rest_;
}

std::size_t ByteInput::read(std::span<char> out) {
  std::size_t filled = std::min(out.size(), rest_.size());
  std::copy_n(rest_.begin(), filled, out.begin());
  take(filled);
  while (filled < out.size()) {
    const std::size_t got = read_now(out.subspan(filled));
    if (got == 0) break;
    filled += got;
  }
  return filled;
}

void ByteInput::fail(const std::string& what) const {
  throw InvalidInput(fmt::format("{}: {} at byte {}", name(), what, offset()));
}

}  // namespace dshn::io
