#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "dshn/io/array.hpp"

namespace dshn::io {

/// Named arrays with a few words about them, in the safetensors format: Python reads it, and no code can hide
/// in it.
struct TensorFile {
  Arrays arrays = {};
  std::map<std::string, std::string> metadata = {};
};

/// Booleans, integers and floats. The file appears complete or not at all. Throws UsageError for other
/// arrays.
void write_safetensors(const std::filesystem::path& path, const TensorFile& file);

/// Throws InvalidInput when the file is truncated or its header lies: arrays must have a known type, fit
/// their shape and fill the file, one behind the other.
TensorFile read_safetensors(const std::filesystem::path& path);

}  // namespace dshn::io
