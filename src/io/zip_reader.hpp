#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/byte_source.hpp"

namespace dshn::io {

/// One file inside a zip archive, as the central directory tells.
struct ZipEntry {
  std::string name;
  std::uint16_t method = 0;
  std::uint16_t flags = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed_size = 0;
  std::uint64_t size = 0;
  std::uint64_t header_offset = 0;
  std::uint64_t data_offset = 0;
};

/// Reads zip archives (APPNOTE.TXT 6.3) with stored and deflated members, zip64 included. Strict, because an
/// archive comes from anywhere: every offset is checked against the file, members may not overlap, names may
/// not climb out of a folder, and a size that deflate could not have reached from the packed bytes is refused
/// before anything of that size is allocated.
class ZipReader {
 public:
  explicit ZipReader(const std::filesystem::path& path);

  const std::vector<ZipEntry>& entries() const { return entries_; }
  /// The unpacked bytes. Length and CRC are checked when the last byte is read. Must not outlive the reader.
  std::unique_ptr<ByteSource> open(const ZipEntry& entry) const;

 private:
  struct Directory {
    std::uint64_t count, size, offset;
  };

  [[noreturn]] void fail(std::uint64_t position, const std::string& message) const;
  std::vector<std::byte> read(std::uint64_t position, std::uint64_t size, const char* what) const;
  Directory find_directory() const;
  Directory read_zip64_directory(std::uint64_t end_record) const;
  void read_entries(const Directory& directory);
  void read_zip64_extra(std::span<const std::byte> extra, std::uint64_t position, ZipEntry& entry) const;
  void check_entry(const ZipEntry& entry, std::uint64_t position) const;
  void locate_data(ZipEntry& entry) const;
  void check_overlap(std::uint64_t directory_offset) const;

  InputFile file_;
  std::vector<ZipEntry> entries_;
};

}  // namespace dshn::io
