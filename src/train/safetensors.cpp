#include "dshn/train/safetensors.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <cstring>
#include <utility>

#include "dshn/base/error.hpp"
#include "dshn/io/safetensors.hpp"

namespace dshn::train {
namespace {

using io::DType;

constexpr std::pair<at::ScalarType, DType> kTypes[]{
    {at::kFloat, DType::float32}, {at::kDouble, DType::float64}, {at::kHalf, DType::float16},
    {at::kInt, DType::int32},     {at::kLong, DType::int64},     {at::kByte, DType::uint8},
    {at::kBool, DType::boolean}};

io::Array array_of(const at::Tensor& tensor) {
  for (const auto& [type, dtype] : kTypes) {
    if (type != tensor.scalar_type()) continue;
    const at::Tensor stored = tensor.detach().to(at::kCPU).contiguous();
    const auto* const begin = static_cast<const std::byte*>(stored.data_ptr());
    return {dtype, stored.sizes().vec(), {begin, begin + stored.nbytes()}, {}};
  }
  throw Failure(std::string("cannot store a tensor of type ") + c10::toString(tensor.scalar_type()));
}

at::Tensor tensor_of(const io::Array& array, const std::string& what) {
  for (const auto& [type, dtype] : kTypes) {
    if (dtype != array.dtype) continue;
    at::Tensor tensor = torch::empty(array.shape, type);
    if (!array.bytes.empty()) std::memcpy(tensor.data_ptr(), array.bytes.data(), array.bytes.size());
    return tensor;
  }
  throw InvalidInput(
      fmt::format("{}: no tensor of type {} is expected here", what, io::dtype_name(array.dtype)));
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, const TensorFile& file) {
  io::TensorFile out{{}, file.metadata};
  for (const auto& [name, tensor] : file.tensors) out.arrays[name] = array_of(tensor);
  io::write_safetensors(path, out);
}

TensorFile read_safetensors(const std::filesystem::path& path) {
  io::TensorFile in = io::read_safetensors(path);
  TensorFile result{{}, std::move(in.metadata)};
  for (const auto& [name, array] : in.arrays) {
    result.tensors[name] = tensor_of(array, fmt::format("{}: tensor '{}'", path.string(), name));
  }
  return result;
}

}  // namespace dshn::train
