#pragma once

#include <zlib.h>

#include <vector>

#include "io/zip_reader.hpp"

namespace dshn::io {

/// The unpacked bytes of one member.
class ZipMember : public ByteSource {
 public:
  ZipMember(const InputFile& file, const ZipEntry& entry);
  ~ZipMember() override;
  ZipMember(const ZipMember&) = delete;
  ZipMember& operator=(const ZipMember&) = delete;

 private:
  void read_next(std::span<std::byte> out) override;
  void inflate_into(std::span<std::byte> out);
  void refill();
  void check_end(std::size_t last_read);

  const InputFile& file_;
  ZipEntry entry_;
  std::uint64_t packed_read_ = 0;
  uLong crc_ = 0;
  bool inflating_ = false;
  bool stream_ended_ = false;
  z_stream stream_{};
  std::vector<std::byte> buffer_;
};

}  // namespace dshn::io
