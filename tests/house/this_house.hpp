#pragma once

#include <filesystem>

namespace dshn::house {

/// The checkout that the tests were built from.
inline const std::filesystem::path kRoot = DSHN_SOURCE_DIR;

}  // namespace dshn::house
