#include <algorithm>
#include <limits>

#include "dshn/base/error.hpp"
#include "io/zip.hpp"
#include "io/zip_format.hpp"
#include "io/zlib_stream.hpp"

namespace dshn::io {
namespace {

using Pieces = std::vector<std::span<const std::byte>>;

constexpr std::uint16_t kVersionNeeded = 20;
constexpr std::uint16_t kVersionZip64 = 45;
constexpr std::uint32_t kDosDate = 0x00210000;  // 1980-01-01 00:00, the format's first moment

template <typename T>
void put(std::string& out, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>((value >> (8 * i)) & 0xff);
}

/// The value, or the mark that it stands in the zip64 field.
void put_small(std::string& out, std::uint64_t value, bool zip64) {
  put(out, zip64 ? zip::kIn64 : static_cast<std::uint32_t>(value));
}

}  // namespace

bool ZipWriter::needs_zip64(const Member& member) const {
  return options_.always_zip64 || std::max({member.packed_size, member.size, member.offset}) >= zip::kIn64;
}

std::string ZipWriter::header(const Member& member, bool central) const {
  const bool zip64 = needs_zip64(member);
  std::string out;
  put(out, central ? zip::kCentralHeader : zip::kLocalHeader);
  if (central) put(out, kVersionZip64);  // of the writer
  put(out, zip64 ? kVersionZip64 : kVersionNeeded);
  put(out, zip::kUtf8Flag);
  put(out, options_.deflate ? zip::kDeflated : zip::kStored);
  put(out, kDosDate);
  put(out, member.crc);
  put_small(out, member.packed_size, zip64);
  put_small(out, member.size, zip64);
  std::string extra;
  if (zip64) {
    put(extra, zip::kZip64Extra);
    put(extra, static_cast<std::uint16_t>(central ? 24 : 16));
    put(extra, member.size);
    put(extra, member.packed_size);
    if (central) put(extra, member.offset);
  }
  put(out, static_cast<std::uint16_t>(member.name.size()));
  put(out, static_cast<std::uint16_t>(extra.size()));
  if (central) {
    out.append(10, '\0');  // no comment, the first disk, no attributes
    put_small(out, member.offset, zip64);
  }
  return out + member.name + extra;
}

void ZipWriter::add(const std::string& name, const Pieces& pieces) {
  if (name.empty() || name.size() > std::numeric_limits<std::uint16_t>::max()) {
    throw UsageError("the name of a member of an archive must have 1 to 65535 bytes");
  }
  std::uint32_t crc = 0;
  std::uint64_t size = 0;
  std::string packed;
  Deflater deflater(Z_DEFAULT_COMPRESSION, kBareWindow, [&](std::string_view bytes) { packed += bytes; });
  for (const auto piece : pieces) {
    crc = zip::crc(crc, piece);
    size += piece.size();
    if (options_.deflate) deflater.write({reinterpret_cast<const char*>(piece.data()), piece.size()});
  }
  if (options_.deflate) deflater.finish();
  const Member member{name, crc, options_.deflate ? packed.size() : size, size,
                      static_cast<std::uint64_t>(file_.size())};
  file_.write(header(member, false));
  if (options_.deflate) {
    file_.write(packed);
  } else {
    for (const auto piece : pieces) file_.write(piece);
  }
  members_.push_back(member);
}

void ZipWriter::finish() {
  const auto offset = static_cast<std::uint64_t>(file_.size());
  for (const Member& member : members_) file_.write(header(member, true));
  const auto end = static_cast<std::uint64_t>(file_.size());
  const std::uint64_t count = members_.size();
  const bool zip64 = options_.always_zip64 || count >= zip::kIn64Short || end >= zip::kIn64;
  std::string out;
  if (zip64) {
    put(out, zip::kEndRecord64);
    put(out, std::uint64_t{zip::kEndRecord64Size - 12});  // counted from after this field
    put(out, kVersionZip64);
    put(out, kVersionZip64);
    put(out, std::uint64_t{0});  // this disk, the directory's disk
    put(out, count);
    put(out, count);
    put(out, end - offset);
    put(out, offset);
    put(out, zip::kEndLocator64);
    put(out, std::uint32_t{0});
    put(out, end);
    put(out, std::uint32_t{1});  // one disk
  }
  put(out, zip::kEndRecord);
  put(out, std::uint32_t{0});
  put(out, zip64 ? zip::kIn64Short : static_cast<std::uint16_t>(count));
  put(out, zip64 ? zip::kIn64Short : static_cast<std::uint16_t>(count));
  put_small(out, end - offset, zip64);
  put_small(out, offset, zip64);
  put(out, std::uint16_t{0});  // comment
  file_.write(out);
}

}  // namespace dshn::io
