#pragma once

#include <cstring>
#include <span>
#include <string>

#include "dshn/base/digest.hpp"

namespace dshn::io::test {

/// What stands before the header of a file of arrays, and where its digest is.
inline constexpr std::size_t kPreambleBytes = 64;
inline constexpr std::size_t kDigestAt = 32;
inline constexpr std::size_t kDigestLetters = 16;

/// The bytes of such a file with the digest that its header ought to have, so that what stands behind the digest can be
/// wrong.
inline std::string with_digest(std::string bytes) {
  std::uint64_t header = 0;
  if (bytes.size() < kPreambleBytes) return bytes;
  std::memcpy(&header, bytes.data() + 16, sizeof header);
  if (header > bytes.size() - kPreambleBytes) return bytes;
  bytes.replace(kDigestAt, kDigestLetters, kDigestLetters, '\0');
  const std::span<const char> preamble(bytes.data(), kPreambleBytes);
  const std::string digest = Digest()
                                 .add(std::as_bytes(preamble))
                                 .add(std::string_view(bytes).substr(kPreambleBytes, header))
                                 .text();
  return bytes.replace(kDigestAt, kDigestLetters, digest);
}

}  // namespace dshn::io::test
