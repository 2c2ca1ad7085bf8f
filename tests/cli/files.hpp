#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Files made by hand, byte by byte, so that they can be wrong in ways that no writer would allow.
namespace dshn::cli::test {

std::string gzipped(std::string_view text);

/// A .npy file: version 1.0, with that type code ("<i8") and shape ("(2, 3)"), whatever the data really are.
std::string npy(const std::string& descr, const std::string& shape, std::string_view data);

/// An uncompressed zip archive.
std::string zipped(const std::vector<std::pair<std::string, std::string>>& members);

template <typename T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace dshn::cli::test
