#include "cli/files.hpp"

#include <zlib.h>

#include <cstdint>
#include <stdexcept>

namespace dshn::cli::test {
namespace {

void append(std::string& out, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

/// The fields that a zip archive has twice: before the data and in the directory at its end.
std::string common_fields(const std::string& name, const std::string& content) {
  const auto sum =
      crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
  std::string out;
  append(out, 20, 2);  // version needed
  append(out, 0, 2);   // flags
  append(out, 0, 2);   // stored
  append(out, 0, 4);   // time and date
  append(out, static_cast<std::uint32_t>(sum), 4);
  append(out, static_cast<std::uint32_t>(content.size()), 4);
  append(out, static_cast<std::uint32_t>(content.size()), 4);
  append(out, static_cast<std::uint32_t>(name.size()), 2);
  append(out, 0, 2);  // extra field
  return out;
}

}  // namespace

std::string gzipped(std::string_view text) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16;
  if (deflateInit2(&stream, 9, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2 failed");
  }
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int state = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (state != Z_STREAM_END) throw std::runtime_error("deflate failed");
  return out;
}

std::string npy(const std::string& descr, const std::string& shape, std::string_view data) {
  std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
  constexpr std::size_t kPreamble = 10;
  while ((kPreamble + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string out = "\x93NUMPY";
  out += '\x01';
  out += '\0';
  append(out, static_cast<std::uint32_t>(header.size()), 2);
  return out + header + std::string(data);
}

std::string zipped(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string out, directory;
  for (const auto& [name, content] : members) {
    directory += "PK\x01\x02";
    append(directory, 20, 2);  // version made by
    directory += common_fields(name, content);
    append(directory, 0, 2);  // comment
    append(directory, 0, 2);  // disk
    append(directory, 0, 2);  // internal attributes
    append(directory, 0, 4);  // external attributes
    append(directory, static_cast<std::uint32_t>(out.size()), 4);
    directory += name;
    out += "PK\x03\x04";
    out += common_fields(name, content);
    out += name;
    out += content;
  }
  const auto start = static_cast<std::uint32_t>(out.size());
  out += directory + "PK\x05\x06";
  append(out, 0, 4);  // disks
  append(out, static_cast<std::uint32_t>(members.size()), 2);
  append(out, static_cast<std::uint32_t>(members.size()), 2);
  append(out, static_cast<std::uint32_t>(directory.size()), 4);
  append(out, start, 4);
  append(out, 0, 2);  // comment
  return out;
}

}  // namespace dshn::cli::test
