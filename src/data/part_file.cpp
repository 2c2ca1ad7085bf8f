#include "data/part_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "dshn/base/error.hpp"
#include "dshn/io/file_system.hpp"

namespace dshn::data {

PartFile::PartFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = io::disk::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC);
  if (descriptor_ < 0) fail("cannot be opened for writing");
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  if (end < 0) {
    ::close(descriptor_);
    fail("cannot be measured");
  }
  size_ = end;
}

PartFile::~PartFile() {
  ::close(descriptor_);
}

void PartFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = io::disk::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot be written");
    size_ += written;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void PartFile::clear() {
  if (io::disk::truncate(descriptor_, 0) != 0 || ::lseek(descriptor_, 0, SEEK_SET) != 0)
    fail("cannot be emptied");
  size_ = 0;
}

void PartFile::flush() {
  if (io::disk::sync(descriptor_) != 0) fail("cannot be flushed to the disk");
}

void PartFile::fail(const char* what) const {
  throw Failure(fmt::format("{}: {}: {}", path_.string(), what, std::strerror(errno)));
}

}  // namespace dshn::data
