#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <span>

/// Numbers of the zip format (APPNOTE.TXT 6.3, sections 4.3 to 4.5) that reader and writer share.
namespace dshn::io::zip {

constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kCentralHeader = 0x02014b50;
constexpr std::uint32_t kEndRecord = 0x06054b50;
constexpr std::uint32_t kEndRecord64 = 0x06064b50;
constexpr std::uint32_t kEndLocator64 = 0x07064b50;

constexpr std::size_t kLocalHeaderSize = 30;
constexpr std::size_t kCentralHeaderSize = 46;
constexpr std::size_t kEndRecordSize = 22;
constexpr std::size_t kEndRecord64Size = 56;
constexpr std::size_t kEndLocator64Size = 20;

constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;
constexpr std::uint16_t kEncryptedFlag = 1;
constexpr std::uint16_t kUtf8Flag = 1U << 11;
constexpr std::uint16_t kZip64Extra = 1;
/// A field with all bits set says that its value is in the zip64 extra field.
constexpr std::uint16_t kIn64Short = 0xffff;
constexpr std::uint32_t kIn64 = 0xffffffff;

/// Deflate cannot shrink more than 1032 to 1: at best two bits stand for 258 bytes.
constexpr std::uint64_t kMostExpansion = 1032;

/// The little-endian number at a position; the caller has checked the range.
template <typename T>
T number(std::span<const std::byte> bytes, std::size_t position) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value = static_cast<T>(value | static_cast<T>(static_cast<T>(bytes[position + i]) << (8 * i)));
  }
  return value;
}

inline std::uint32_t crc(std::uint32_t before, std::span<const std::byte> bytes) {
  if (bytes.empty()) return before;  // zlib takes a null pointer for a wish to begin
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace dshn::io::zip
