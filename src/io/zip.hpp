#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dshn/io/atomic_file.hpp"
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

  /// Before a member's bytes, or its entry in the central directory.
  std::string header(const Member& member, bool central) const;
  bool needs_zip64(const Member& member) const;

  AtomicFile& file_;
  ZipWriterOptions options_;
  std::vector<Member> members_;
};

}  // namespace dshn::io
