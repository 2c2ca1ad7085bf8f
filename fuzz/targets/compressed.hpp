#pragma once

#include "dshn/base/parallel.hpp"
#include "fuzz/target.hpp"
#include "io/byte_stream.hpp"

/// Of the targets that read compressed bytes.
namespace dshn::fuzz {

/// What a writer of our own makes of it, by the name's extension.
inline std::string compressed(const std::string& text, const std::string& name) {
  io::ByteWriter writer(scratch() / name);
  writer.write(text);
  writer.commit();
  return content_of(scratch() / name);
}

/// All that comes out, up to a limit: what is read in pieces may be longer than any memory.
inline std::string decompressed(const std::filesystem::path& path) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  const auto reader = io::open_bytes(path);
  std::string text;
  std::string piece;
  for (std::size_t size = 1; text.size() < kMost; size = std::min(2 * size + 1, kMost)) {
    piece.resize(size);
    const std::size_t got = reader->read(piece);
    text.append(piece, 0, got);
    if (got < size) return text;
  }
  return {};
}

/// Reads, and what was read is the same after it has been written.
inline void read_compressed(std::string_view bytes, const std::string& extension) {
  const std::string text = decompressed(file_with(bytes, "file" + extension));
  compressed(text, "copy" + extension);
  require(decompressed(scratch() / ("copy" + extension)) == text, "what is written is read again");
}

}  // namespace dshn::fuzz
