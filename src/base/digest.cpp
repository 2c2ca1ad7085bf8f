#include "dshn/base/digest.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/mix.hpp"

namespace dshn {

Digest& Digest::add(std::uint64_t word) {
  state_ = mix(state_ ^ word);
  return *this;
}

Digest& Digest::add(std::string_view bytes) {
  add(bytes.size());
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), sizeof(std::uint64_t)))) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), std::min(bytes.size(), sizeof word));
    add(word);
  }
  return *this;
}

std::string Digest::text() const {
  return fmt::format("{:016x}", state_);
}

}  // namespace dshn
