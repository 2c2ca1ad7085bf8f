#include "dshn/train/safetensors.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"

namespace dshn::train {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian");

struct TypeName {
  at::ScalarType type;
  const char* name;
};
constexpr std::array<TypeName, 6> kTypes{{{at::kFloat, "F32"},
                                          {at::kDouble, "F64"},
                                          {at::kInt, "I32"},
                                          {at::kLong, "I64"},
                                          {at::kByte, "U8"},
                                          {at::kBool, "BOOL"}}};

const char* name_of(at::ScalarType type) {
  for (const TypeName& known : kTypes) {
    if (known.type == type) return known.name;
  }
  throw Failure(std::string("cannot store a tensor of type ") + c10::toString(type));
}

at::ScalarType type_of(const std::string& name, const std::string& where) {
  for (const TypeName& known : kTypes) {
    if (name == known.name) return known.type;
  }
  throw InvalidInput(fmt::format("{}: unknown type '{}'", where, name));
}

[[noreturn]] void bad(const std::filesystem::path& path, const std::string& what) {
  throw InvalidInput(fmt::format("{}: not a whole safetensors file: {}", path.string(), what));
}

at::Tensor read_tensor(const nlohmann::json& entry, std::ifstream& file, std::uint64_t data_begin,
                       std::uint64_t data_size, const std::string& where) {
  const auto shape = entry.at("shape").get<std::vector<std::int64_t>>();
  const auto offsets = entry.at("data_offsets").get<std::array<std::uint64_t, 2>>();
  if (offsets[0] > offsets[1] || offsets[1] > data_size)
    throw InvalidInput(where + ": lies outside the file");
  const at::ScalarType type = type_of(entry.at("dtype").get<std::string>(), where);
  std::uint64_t bytes = at::elementSize(type);
  for (const std::int64_t extent : shape) {
    if (extent < 0 || (extent > 0 && bytes > data_size / static_cast<std::uint64_t>(extent))) {
      throw InvalidInput(where + ": shape is larger than the file");
    }
    bytes *= static_cast<std::uint64_t>(extent);
  }
  if (bytes != offsets[1] - offsets[0]) throw InvalidInput(where + ": shape and length differ");
  at::Tensor tensor = torch::empty(shape, type);
  file.seekg(static_cast<std::streamoff>(data_begin + offsets[0]));
  file.read(static_cast<char*>(tensor.data_ptr()), static_cast<std::streamsize>(bytes));
  if (!file) throw InvalidInput(where + ": the file ends early");
  return tensor;
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, const TensorFile& file) {
  nlohmann::json header = nlohmann::json::object();
  if (!file.metadata.empty()) header["__metadata__"] = file.metadata;
  std::uint64_t offset = 0;
  std::vector<at::Tensor> stored;
  for (const auto& [name, tensor] : file.tensors) {
    stored.push_back(tensor.detach().to(at::kCPU).contiguous());
    const std::uint64_t end = offset + stored.back().nbytes();
    header[name] = {{"dtype", name_of(tensor.scalar_type())},
                    {"shape", tensor.sizes().vec()},
                    {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size();
  io::AtomicFile out(path);
  out.write(std::string_view(reinterpret_cast<const char*>(&length), sizeof length));
  out.write(text);
  for (const at::Tensor& tensor : stored) {
    out.write(std::string_view(static_cast<const char*>(tensor.data_ptr()), tensor.nbytes()));
  }
  out.commit();
}

TensorFile read_safetensors(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InvalidInput(fmt::format("{}: cannot be read", path.string()));
  const std::uint64_t size = std::filesystem::file_size(path);
  std::uint64_t length = 0;
  file.read(reinterpret_cast<char*>(&length), sizeof length);
  if (!file || length > size - sizeof length) bad(path, "the header is cut off");
  std::string text(length, '\0');
  file.read(text.data(), static_cast<std::streamsize>(length));
  const nlohmann::json header = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!header.is_object()) bad(path, "the header is not a JSON object");
  TensorFile result;
  try {
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") {
        result.metadata = entry.get<std::map<std::string, std::string>>();
        continue;
      }
      result.tensors[name] = read_tensor(entry, file, sizeof length + length, size - sizeof length - length,
                                         fmt::format("{}: tensor '{}'", path.string(), name));
    }
  } catch (const nlohmann::json::exception& error) {
    bad(path, error.what());
  }
  return result;
}

}  // namespace dshn::train
