#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dshn/io/atomic_file.hpp"

namespace dshn::io {

struct ZipWriterOptions {
  bool deflate = true;
  /// Zip64 records even where the classic fields would do; readers must accept both.
  bool always_zip64 = false;
};

/// Writes a zip archive front to back. All members carry the same date, so equal content gives equal bytes.
class ZipWriter {
 public:
  explicit ZipWriter(AtomicFile& file, ZipWriterOptions options = {}) : file_(file), options_(options) {}

  /// One member, given as pieces that follow each other.
  void add(const std::string& name, const std::vector<std::span<const std::byte>>& pieces);
  /// Writes the directory. The file is not committed.
  void finish();

 private:
  struct Member {
    std::string name;
    std::uint32_t crc;
    std::uint64_t packed_size, size, offset;
  };

  std::string local_header(const Member& member) const;
  std::string central_header(const Member& member) const;
  bool needs_zip64(const Member& member) const;

  AtomicFile& file_;
  ZipWriterOptions options_;
  std::vector<Member> members_;
};

}  // namespace dshn::io
