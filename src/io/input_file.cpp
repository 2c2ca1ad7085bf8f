#include "io/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "dshn/base/error.hpp"

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

/// All of it, read the first time it is asked for.
const std::string& standard_input() {
  static const std::string text = [] {
    std::string all;
    std::size_t size = 0;
    ssize_t got = 0;
    do {
      all.resize(size + kReadBytes);
      got = uninterrupted([&] { return ::read(STDIN_FILENO, all.data() + size, kReadBytes); });
      if (got < 0) throw InvalidInput(fmt::format("standard input: cannot read: {}", last_reason()));
      size += static_cast<std::size_t>(got);
    } while (got > 0);
    all.resize(size);
    return all;
  }();
  return text;
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
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw InvalidInput(fmt::format("{}: cannot open: {}", name_, last_reason()));
  struct stat status {};
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

ByteInput::ByteInput(const std::filesystem::path& path) : file_(path), buffer_(kReadBytes) {}

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
