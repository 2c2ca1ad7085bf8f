#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <string>

namespace dshn::train {

/// Named tensors with a few words about them, in the safetensors format: Python reads it, and no code can
/// hide in it.
struct TensorFile {
  std::map<std::string, at::Tensor> tensors;  // on the CPU when read
  std::map<std::string, std::string> metadata;
};

/// The file appears complete or not at all.
void write_safetensors(const std::filesystem::path& path, const TensorFile& file);

/// InvalidInput when the file is truncated, its header lies, or a type is not one of F32, F64, I32, I64, U8,
/// BOOL.
TensorFile read_safetensors(const std::filesystem::path& path);

}  // namespace dshn::train
