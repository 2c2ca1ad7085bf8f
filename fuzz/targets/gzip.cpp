#include "fuzz/targets/compressed.hpp"

namespace dshn::fuzz::gzip {
namespace {

std::vector<std::string> valid() {
  const std::string one = compressed("a few words, a few words", "seed.gz");
  return {one,
          compressed("", "seed.gz"),
          one + one,
          one + std::string(7, '\0'),
          compressed(std::string(5000, 'z'), "seed.gz"),
          "plain"};
}

std::vector<std::string> malformed() {
  const std::string one = compressed("a few words", "seed.gz");
  std::string other_bytes = one;
  other_bytes[one.size() - 6] ^= 1;
  return {one.substr(0, one.size() - 1), one + "x", other_bytes, "\x1f\x8b\x08",
          one + std::string(2, '\0') + one};
}

void read(std::string_view bytes) {
  read_compressed(bytes, ".gz");
}

}  // namespace

Target target() {
  return {"gzip", valid, malformed, read};
}

}  // namespace dshn::fuzz::gzip
