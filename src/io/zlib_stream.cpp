#include "io/zlib_stream.hpp"

#include <algorithm>
#include <utility>

#include "dshn/base/error.hpp"

namespace dshn::io {
namespace {

constexpr std::size_t kPackedBytes = std::size_t{1} << 18;
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // zlib counts in 32 bits

Bytef* zlib_bytes(const char* bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes));
}

uInt zlib_size(std::size_t size) {
  return static_cast<uInt>(std::min(size, kMostAtOnce));
}

}  // namespace

Inflater::Inflater(int window_bits) {
  if (inflateInit2(&stream_, window_bits) != Z_OK) throw Failure("zlib: out of memory");
}

Inflater::Step Inflater::run(std::string_view in, std::span<char> out) {
  stream_.next_in = zlib_bytes(in.data());
  stream_.avail_in = zlib_size(in.size());
  stream_.next_out = zlib_bytes(out.data());
  stream_.avail_out = zlib_size(out.size());
  const int status = inflate(&stream_, Z_NO_FLUSH);
  if (status == Z_MEM_ERROR) throw Failure("zlib: out of memory");
  Step step{zlib_size(in.size()) - stream_.avail_in,
            zlib_size(out.size()) - stream_.avail_out,
            status == Z_STREAM_END,
            {}};
  if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
    step.damage = stream_.msg != nullptr ? stream_.msg : "unknown reason";
  return step;
}

Deflater::Deflater(int level, int window_bits, std::function<void(std::string_view)> out)
    : out_(std::move(out)), buffer_(kPackedBytes, '\0') {
  constexpr int kMemoryLevel = 8;
  if (deflateInit2(&stream_, level, Z_DEFLATED, window_bits, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Failure("zlib: out of memory");
}

void Deflater::write(std::string_view bytes) {
  while (!bytes.empty()) {
    stream_.next_in = zlib_bytes(bytes.data());
    stream_.avail_in = zlib_size(bytes.size());
    bytes.remove_prefix(stream_.avail_in);
    run(Z_NO_FLUSH);
  }
}

void Deflater::run(int flush) {
  int status = Z_OK;
  do {
    stream_.next_out = zlib_bytes(buffer_.data());
    stream_.avail_out = zlib_size(buffer_.size());
    status = deflate(&stream_, flush);
    out_(std::string_view(buffer_).substr(0, buffer_.size() - stream_.avail_out));
  } while (flush == Z_FINISH ? status != Z_STREAM_END : stream_.avail_out == 0);
}

}  // namespace dshn::io
