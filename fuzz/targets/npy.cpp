#include "dshn/io/npy.hpp"

#include "fuzz/samples.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::npy {
namespace {

std::string with_header(const std::string& header, const std::string& data) {
  const auto size = static_cast<char>(header.size());
  return std::string("\x93NUMPY\x01\x00", 8) + size + '\0' + header + data;
}

std::vector<std::string> valid() {
  std::vector<std::string> seeds{
      with_header("{'descr': '>f2', 'fortran_order': True, 'shape': (2, 2), }\n", std::string(8, '\x3c')),
      with_header("{'descr': '|S3', 'fortran_order': False, 'shape': (2,), }\n", std::string("abcde\0", 6))};
  for (const auto& [name, array] : arrays_of_all_kinds()) {
    io::write_npy(scratch() / "seed.npy", array);
    seeds.push_back(content_of(scratch() / "seed.npy"));
  }
  return seeds;
}

std::vector<std::string> malformed() {
  return {"",
          std::string("\x93NUMPY\x01\x00", 8),
          with_header("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n", "x"),
          with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775807, 8), }\n", ""),
          with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }\n", ""),
          with_header("{'descr': '|S0', 'fortran_order': False, 'shape': (99999999,), }\n", "x")};
}

void read(std::string_view bytes) {
  const io::Array array = io::read_npy(file_with(bytes, "file.npy"));
  const std::filesystem::path copy = scratch() / "copy.npy";
  io::write_npy(copy, array);
  require(io::read_npy(copy) == array, "what is written is read again");
}

}  // namespace

Target target() {
  return {"npy", valid, malformed, read};
}

}  // namespace dshn::fuzz::npy
