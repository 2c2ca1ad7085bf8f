#include "io/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "dshn/base/error.hpp"

namespace dshn::io {
namespace {

std::string last_reason() {
  return std::generic_category().message(errno);
}

}  // namespace

void ByteSource::read(std::span<std::byte> out) {
  if (out.size() > remaining()) {
    fail(fmt::format("the data end here; {} more bytes were expected", out.size() - remaining()));
  }
  read_next(out);
  position_ += out.size();
}

void ByteSource::fail_at(std::uint64_t position, const std::string& message) const {
  throw InvalidInput(fmt::format("{}, byte {}: {}", name_, position, message));
}

InputFile::InputFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0)
    throw InvalidInput(fmt::format("{}: cannot be opened: {}", path_.string(), last_reason()));
  struct stat facts {};
  if (::fstat(descriptor_, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    ::close(descriptor_);
    throw InvalidInput(fmt::format("{}: is not a regular file", path_.string()));
  }
  size_ = static_cast<std::uint64_t>(facts.st_size);
}

InputFile::~InputFile() {
  ::close(descriptor_);
}

void InputFile::read_at(std::uint64_t position, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t got = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(position));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw InvalidInput(fmt::format("{}, byte {}: cannot be read: {}", path_.string(), position,
                                     got < 0 ? last_reason() : "the file ends here"));
    }
    out = out.subspan(static_cast<std::size_t>(got));
    position += static_cast<std::uint64_t>(got);
  }
}

}  // namespace dshn::io
