// Stands in for sha256.cpp in a build without OpenSSL.
#include <fmt/format.h>

#include "data/sha256.hpp"
#include "dshn/base/error.hpp"

namespace dshn::data {

bool has_sha256() {
  return false;
}

std::string sha256_of(const std::filesystem::path& path) {
  throw Failure(fmt::format("{}: no checksum: this build has no OpenSSL", path.string()));
}

}  // namespace dshn::data
