#include "fuzz/targets/compressed.hpp"

namespace dshn::fuzz::zstd {
namespace {

std::vector<std::string> valid() {
  const std::string one = compressed("a few words, a few words", "seed.zst");
  const std::string skipped("\x50\x2a\x4d\x18\x02\x00\x00\x00xx", 10);
  return {one, compressed("", "seed.zst"), one + one, skipped + one,
          compressed(std::string(5000, 'z'), "seed.zst")};
}

std::vector<std::string> malformed() {
  const std::string one = compressed("a few words", "seed.zst");
  std::string other_bytes = one;
  other_bytes[one.size() - 1] ^= 1;
  return {one.substr(0, one.size() - 1), one + "x", other_bytes, "\x28\xb5\x2f\xfd"};
}

void read(std::string_view bytes) {
  read_compressed(bytes, ".zst");
}

}  // namespace

Target target() {
  return {"zstd", valid, malformed, read};
}

}  // namespace dshn::fuzz::zstd
