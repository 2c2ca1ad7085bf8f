#include "io/byte_input.hpp"

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

std::string reason(int error) {
  return std::generic_category().message(error);
}

}  // namespace

ByteInput::ByteInput(const std::filesystem::path& path) : name_(path.string()), buffer_(kReadBytes) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    throw InvalidInput(fmt::format("{}: cannot open: {}", name_, reason(errno)));
  }
  if (S_ISDIR(status.st_mode)) throw InvalidInput(fmt::format("{}: is a folder; expected a file", name_));
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw InvalidInput(fmt::format("{}: cannot open: {}", name_, reason(errno)));
  total_ = S_ISREG(status.st_mode) ? status.st_size : 0;
}

ByteInput::~ByteInput() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t ByteInput::read_now(std::span<char> out) {
  ssize_t got = 0;
  do {
    got = ::read(descriptor_, out.data(), out.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) fail(fmt::format("cannot read ({})", reason(errno)));
  read_ += got;
  return static_cast<std::size_t>(got);
}

std::string_view ByteInput::peek() {
  if (rest_.empty()) rest_ = {buffer_.data(), read_now(buffer_)};
  return rest_;
}

std::size_t ByteInput::read(std::span<char> out) {
  const std::size_t buffered = std::min(out.size(), rest_.size());
  std::copy_n(rest_.begin(), buffered, out.begin());
  take(buffered);
  std::size_t filled = buffered;
  while (filled < out.size()) {
    const std::size_t got = read_now(out.subspan(filled));
    if (got == 0) break;
    filled += got;
  }
  return filled;
}

void ByteInput::fail(const std::string& what) const {
  throw InvalidInput(fmt::format("{}: {} at byte {}", name_, what, offset()));
}

}  // namespace dshn::io
