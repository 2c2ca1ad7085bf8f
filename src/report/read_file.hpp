#pragma once

#include <filesystem>
#include <string>

namespace dshn::report {

/// The whole file; InvalidInput when it cannot be read.
std::string read_whole(const std::filesystem::path& path);

}  // namespace dshn::report
