#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dshn {

/// A number that tells apart what was added to it: 64 bits, the same in every process. It finds changes that
/// happen; it does not keep out somebody who makes two things on purpose whose digests agree.
class Digest {
 public:
  Digest& add(std::uint64_t word);
  /// The bytes and how many they are.
  Digest& add(std::string_view bytes);
  template <typename T>
  Digest& add(std::span<const T> values) {
    return add(std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }

  /// 16 hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t state_ = 0;
};

}  // namespace dshn
