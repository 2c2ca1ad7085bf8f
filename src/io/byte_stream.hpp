#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace dshn::io {

enum class Compression : std::uint8_t { none, gzip, zstd };

/// "gzip" or "zstd"; empty for none.
const char* compression_name(Compression compression);
/// By the extension: .gz, .zst or .zstd, else none.
Compression compression_of_extension(const std::filesystem::path& path);
/// The extension before that of a compression: ".json" for a.json and a.json.gz.
std::string extension_of(const std::filesystem::path& path);

/// Bytes in, a piece at a time, decompressed on the way. Memory does not grow with the file.
class ByteReader {
 public:
  ByteReader() = default;
  virtual ~ByteReader() = default;
  ByteReader(const ByteReader&) = delete;
  ByteReader& operator=(const ByteReader&) = delete;

  /// Fills `out` from its front and returns how many bytes that were: fewer than asked only at the end, 0
  /// after it. Throws InvalidInput with file and byte where compressed data are truncated or damaged.
  virtual std::size_t read(std::span<char> out) = 0;
  /// For messages.
  virtual const std::string& name() const = 0;
  virtual Compression compression() const = 0;
  /// Bytes of the file itself, before decompression.
  virtual std::int64_t bytes_done() const = 0;
  virtual std::int64_t bytes_total() const = 0;
};

/// Opens a file that is plain, gzip (also of several members) or zstd (also of several frames), recognised by
/// its first bytes. Compressed files are read ahead by a second thread where dshn::thread_count() allows one.
/// Throws InvalidInput if the file cannot be opened, Failure for zstd in a build without it.
std::unique_ptr<ByteReader> open_bytes(const std::filesystem::path& path);

/// Plain bytes that are in memory already and must outlive the reader.
std::unique_ptr<ByteReader> view_bytes(std::string_view bytes, std::string name);

/// Bytes out, compressed on the way, into a file that appears complete or not at all (see AtomicFile).
class ByteWriter {
 public:
  /// Compression by the extension. Throws Failure, for .zst also in a build without zstd.
  explicit ByteWriter(const std::filesystem::path& path);
  ~ByteWriter();
  ByteWriter(const ByteWriter&) = delete;
  ByteWriter& operator=(const ByteWriter&) = delete;

  void write(std::string_view bytes);
  /// Nothing may be written after it; without it no file appears.
  void commit();

  class Sink;  // one per compression

 private:
  std::unique_ptr<Sink> sink_;
};

}  // namespace dshn::io
