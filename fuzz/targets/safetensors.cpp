#include "dshn/io/safetensors.hpp"

#include <cstdint>

#include "fuzz/samples.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::safetensors {
namespace {

std::string with_header(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + data;
}

std::vector<std::string> valid() {
  io::TensorFile file{arrays_of_all_kinds(), {{"format", "x"}, {"epoch", "3"}}};
  file.arrays.erase("c");
  file.arrays.erase("t");
  io::write_safetensors(scratch() / "seed.safetensors", file);
  return {content_of(scratch() / "seed.safetensors"),
          with_header(R"({"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}})", "abcd"),
          with_header("{}", "")};
}

std::vector<std::string> malformed() {
  const std::string whole = valid()[0];
  std::string other_bytes = whole;
  other_bytes.back() ^= 1;
  return {"",
          whole.substr(0, whole.size() - 1),
          other_bytes,
          with_header("[]", ""),
          with_header(R"({"a":{"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", ""),
          with_header(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", "ab"),
          std::string(8, '\xff')};
}

void read(std::string_view bytes) {
  const io::TensorFile file = io::read_safetensors(file_with(bytes, "file.safetensors"));
  io::write_safetensors(scratch() / "copy.safetensors", file);
  const io::TensorFile again = io::read_safetensors(scratch() / "copy.safetensors");
  require(again.arrays == file.arrays, "arrays that are written are read again");
  require(again.metadata == file.metadata, "metadata that are written are read again");
}

}  // namespace

Target target() {
  return {"safetensors", valid, malformed, read};
}

}  // namespace dshn::fuzz::safetensors
