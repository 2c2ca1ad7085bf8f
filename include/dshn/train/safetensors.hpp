#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <string>

namespace dshn::train {

/// io::TensorFile with tensors in place of arrays.
struct TensorFile {
  std::map<std::string, at::Tensor> tensors;  // on the CPU when read
  std::map<std::string, std::string> metadata;
};

void write_safetensors(const std::filesystem::path& path, const TensorFile& file);

/// As io::read_safetensors; also InvalidInput for a type that is not written here.
TensorFile read_safetensors(const std::filesystem::path& path);

}  // namespace dshn::train
