#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace dshn::test {

/// Whether the bytes lie in a mapping of the file into this process.
inline bool is_mapped(const void* bytes, std::size_t size, const std::filesystem::path& file) {
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(file.string()) == std::string::npos) continue;
    std::uintptr_t from = 0;
    std::uintptr_t to = 0;
    char dash = 0;
    std::istringstream(line) >> std::hex >> from >> dash >> to;
    if (from <= begin && begin + size <= to) return true;
  }
  return false;
}

/// Whether any part of it is, be the name that of another file by now.
inline bool is_mapped_anywhere(const std::filesystem::path& file) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find(file.string()) != std::string::npos) return true;
  return false;
}

}  // namespace dshn::test
