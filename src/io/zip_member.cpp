#include "io/zip_member.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "io/zip_format.hpp"

namespace dshn::io {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 18;
/// zlib counts in 32 bits.
constexpr std::size_t kMostInflated = std::size_t{1} << 30;

Bytef* zlib_bytes(std::byte* bytes) {
  return reinterpret_cast<Bytef*>(bytes);
}

uLong crc_of(uLong crc, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), kMostInflated));
    crc = ::crc32(crc, reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(part.size()));
    bytes = bytes.subspan(part.size());
  }
  return crc;
}

}  // namespace

ZipMember::ZipMember(const InputFile& file, const ZipEntry& entry)
    : ByteSource(fmt::format("{}, member '{}'", file.path().string(), entry.name), entry.size),
      file_(file),
      entry_(entry) {
  if (entry.method != zip::kDeflated) return;
  buffer_.resize(std::min<std::uint64_t>(kBufferSize, entry.packed_size));
  if (::inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw Failure("zlib cannot start: out of memory");
  inflating_ = true;
}

ZipMember::~ZipMember() {
  if (inflating_) ::inflateEnd(&stream_);
}

void ZipMember::read_next(std::span<std::byte> out) {
  if (inflating_) {
    inflate_into(out);
  } else {
    file_.read_at(entry_.data_offset + position(), out);
  }
  crc_ = crc_of(crc_, out);
  if (out.size() == remaining()) check_end(out.size());
}

void ZipMember::inflate_into(std::span<std::byte> out) {
  while (!out.empty()) {
    if (stream_.avail_in == 0) refill();
    const auto piece = static_cast<uInt>(std::min(out.size(), kMostInflated));
    stream_.next_out = zlib_bytes(out.data());
    stream_.avail_out = piece;
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    const std::size_t produced = piece - stream_.avail_out;
    out = out.subspan(produced);
    stream_ended_ = status == Z_STREAM_END;
    const bool stuck = produced == 0 && stream_.avail_in == 0 && packed_read_ == entry_.packed_size;
    if ((stream_ended_ && !out.empty()) || stuck)
      fail("the deflated data end too early; the member is damaged");
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      fail(fmt::format("the deflated data are damaged ({})",
                       stream_.msg != nullptr ? stream_.msg : "zlib error"));
    }
  }
}

void ZipMember::refill() {
  const auto size = std::min<std::uint64_t>(buffer_.size(), entry_.packed_size - packed_read_);
  file_.read_at(entry_.data_offset + packed_read_, std::span(buffer_).first(size));
  packed_read_ += size;
  stream_.next_in = zlib_bytes(buffer_.data());
  stream_.avail_in = static_cast<uInt>(size);
}

/// Nothing may follow the last announced byte, and the checksum must agree.
void ZipMember::check_end(std::size_t last_read) {
  if (inflating_ && !stream_ended_) {
    std::byte surplus{};
    while (!stream_ended_) {
      if (stream_.avail_in == 0 && packed_read_ < entry_.packed_size) refill();
      stream_.next_out = zlib_bytes(&surplus);
      stream_.avail_out = 1;
      const int status = ::inflate(&stream_, Z_NO_FLUSH);
      stream_ended_ = status == Z_STREAM_END;
      if (stream_.avail_out == 0 || (status != Z_OK && status != Z_STREAM_END)) {
        fail("the deflated data do not end where the archive says");
      }
    }
  }
  if (crc_ != entry_.crc) {
    fail_at(position() + last_read,
            fmt::format("checksum {:08x} instead of {:08x}; the member is damaged", crc_, entry_.crc));
  }
}

}  // namespace dshn::io
