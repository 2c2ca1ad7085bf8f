#include "io/zip_writer.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "dshn/base/error.hpp"
#include "io/zip_format.hpp"

namespace dshn::io {
namespace {

using Pieces = std::vector<std::span<const std::byte>>;

constexpr std::uint16_t kVersionNeeded = 20;
constexpr std::uint16_t kVersionZip64 = 45;
constexpr std::uint32_t kDosDate = 0x00210000;  // 1980-01-01 00:00, the format's first moment
/// zlib counts in 32 bits.
constexpr std::size_t kMostDeflated = std::size_t{1} << 30;

template <typename T>
void put(std::string& out, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>((value >> (8 * i)) & 0xff);
}

/// The value, or the mark that it stands in the zip64 field.
void put_small(std::string& out, std::uint64_t value, bool zip64) {
  put(out, zip64 ? zip::kIn64 : static_cast<std::uint32_t>(value));
}

template <typename F>
void for_each_part(const Pieces& pieces, F&& f) {
  for (auto piece : pieces) {
    while (!piece.empty()) {
      const auto part = piece.first(std::min(piece.size(), kMostDeflated));
      f(reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(part.size()));
      piece = piece.subspan(part.size());
    }
  }
}

class Deflater {
 public:
  Deflater() {
    if (::deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      throw Failure("zlib cannot start: out of memory");
    }
  }
  ~Deflater() { ::deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  std::string pack(const Pieces& pieces) {
    std::string out;
    for_each_part(pieces, [&](const Bytef* bytes, uInt size) {
      stream_.next_in = const_cast<Bytef*>(bytes);
      stream_.avail_in = size;
      run(Z_NO_FLUSH, out);
    });
    run(Z_FINISH, out);
    return out;
  }

 private:
  void run(int flush, std::string& out) {
    int status = Z_OK;
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      status = ::deflate(&stream_, flush);
      out.append(buffer_.data(), buffer_.size() - stream_.avail_out);
    } while (flush == Z_FINISH ? status != Z_STREAM_END : stream_.avail_out == 0);
  }

  z_stream stream_{};
  std::string buffer_ = std::string(std::size_t{1} << 18, '\0');
};

}  // namespace

bool ZipWriter::needs_zip64(const Member& member) const {
  return options_.always_zip64 || std::max({member.packed_size, member.size, member.offset}) >= zip::kIn64;
}

std::string ZipWriter::local_header(const Member& member) const {
  const bool zip64 = needs_zip64(member);
  std::string out;
  put(out, zip::kLocalHeader);
  put(out, zip64 ? kVersionZip64 : kVersionNeeded);
  put(out, zip::kUtf8Flag);
  put(out, options_.deflate ? zip::kDeflated : zip::kStored);
  put(out, kDosDate);
  put(out, member.crc);
  put_small(out, member.packed_size, zip64);
  put_small(out, member.size, zip64);
  put(out, static_cast<std::uint16_t>(member.name.size()));
  put(out, static_cast<std::uint16_t>(zip64 ? 20 : 0));
  out += member.name;
  if (zip64) {
    put(out, zip::kZip64Extra);
    put(out, std::uint16_t{16});
    put(out, member.size);
    put(out, member.packed_size);
  }
  return out;
}

std::string ZipWriter::central_header(const Member& member) const {
  const bool zip64 = needs_zip64(member);
  std::string out;
  put(out, zip::kCentralHeader);
  put(out, kVersionZip64);
  put(out, zip64 ? kVersionZip64 : kVersionNeeded);
  put(out, zip::kUtf8Flag);
  put(out, options_.deflate ? zip::kDeflated : zip::kStored);
  put(out, kDosDate);
  put(out, member.crc);
  put_small(out, member.packed_size, zip64);
  put_small(out, member.size, zip64);
  put(out, static_cast<std::uint16_t>(member.name.size()));
  put(out, static_cast<std::uint16_t>(zip64 ? 28 : 0));
  put(out, std::uint16_t{0});  // comment
  put(out, std::uint16_t{0});  // disk
  put(out, std::uint16_t{0});  // internal attributes
  put(out, std::uint32_t{0});  // external attributes
  put_small(out, member.offset, zip64);
  out += member.name;
  if (zip64) {
    put(out, zip::kZip64Extra);
    put(out, std::uint16_t{24});
    put(out, member.size);
    put(out, member.packed_size);
    put(out, member.offset);
  }
  return out;
}

void ZipWriter::add(const std::string& name, const Pieces& pieces) {
  if (name.empty() || name.size() > std::numeric_limits<std::uint16_t>::max()) {
    throw UsageError("the name of a member of an archive must have 1 to 65535 bytes");
  }
  uLong crc = 0;
  for_each_part(pieces, [&](const Bytef* bytes, uInt size) { crc = ::crc32(crc, bytes, size); });
  std::uint64_t size = 0;
  for (const auto piece : pieces) size += piece.size();
  const std::string packed = options_.deflate ? Deflater().pack(pieces) : std::string();
  const Member member{name, static_cast<std::uint32_t>(crc), options_.deflate ? packed.size() : size, size,
                      static_cast<std::uint64_t>(file_.size())};
  file_.write(local_header(member));
  if (options_.deflate) {
    file_.write(packed);
  } else {
    for (const auto piece : pieces) file_.write(piece);
  }
  members_.push_back(member);
}

void ZipWriter::finish() {
  const auto offset = static_cast<std::uint64_t>(file_.size());
  for (const Member& member : members_) file_.write(central_header(member));
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
