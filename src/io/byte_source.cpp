#include "io/byte_source.hpp"

#include <fmt/format.h>

#include "dshn/base/error.hpp"

namespace dshn::io {

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

}  // namespace dshn::io
