#pragma once

#include <span>
#include <string>
#include <vector>

#include "dshn/io/array.hpp"
#include "io/byte_source.hpp"

namespace dshn::io {

/// What the header of an .npy file says.
struct NpyHeader {
  std::string descr;  // e.g. "<f8"
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// Parses the Python dictionary at the start of an .npy file and nothing more general than that.
/// `begin` is the dictionary's position in the source, for messages.
NpyHeader parse_npy_header(const std::string& text, const ByteSource& source, std::uint64_t begin);

/// Reads one array, which must fill the source to its end.
Array decode_npy(ByteSource& source);

/// Magic, version and header of the array.
std::string encode_npy_header(const Array& array);
/// The elements as they stand in the file. Text is encoded into `storage`; other arrays are not copied.
std::span<const std::byte> encode_npy_data(const Array& array, std::vector<std::byte>& storage);

}  // namespace dshn::io
