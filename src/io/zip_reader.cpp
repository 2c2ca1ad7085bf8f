#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "dshn/base/error.hpp"
#include "io/zip.hpp"
#include "io/zip_format.hpp"
#include "io/zlib_stream.hpp"

namespace dshn::io {
namespace {

using zip::number;

bool is_safe_name(const std::string& name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != std::string::npos) return false;
  if (std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
    return false;
  const std::filesystem::path path(name);
  return std::find(path.begin(), path.end(), "..") == path.end();
}

std::string printable(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '?');
  return name;
}

/// The unpacked bytes of one member. Length and checksum are checked when the last byte is read.
class ZipMember : public ByteSource {
 public:
  ZipMember(const InputFile& file, const ZipEntry& entry)
      : ByteSource(fmt::format("{}, member '{}'", file.name(), entry.name), entry.size),
        file_(file),
        entry_(entry) {
    if (entry.method == zip::kDeflated) inflater_.emplace(kBareWindow);
  }

 private:
  void read_next(std::span<std::byte> out) override {
    if (inflater_) {
      inflate_into({reinterpret_cast<char*>(out.data()), out.size()});
    } else {
      file_.read_at(entry_.data_offset + position(), out);
    }
    crc_ = zip::crc(crc_, out);
    if (out.size() == remaining()) check_end(out.size());
  }

  void inflate_into(std::span<char> out) {
    while (!out.empty()) {
      const std::size_t made = inflate_some(out);
      out = out.subspan(made);
      const bool stuck = made == 0 && packed_.empty() && packed_read_ == entry_.packed_size;
      if ((ended_ && !out.empty()) || stuck) fail("the deflated data end too early; the member is damaged");
    }
  }

  std::size_t inflate_some(std::span<char> out) {
    if (packed_.empty()) refill();
    const Inflater::Step step = inflater_->run(packed_, out);
    packed_.remove_prefix(step.taken);
    ended_ = step.ended;
    if (!step.damage.empty()) fail(fmt::format("the deflated data are damaged ({})", step.damage));
    return step.made;
  }

  void refill() {
    constexpr std::uint64_t kBufferSize = std::uint64_t{1} << 18;
    buffer_.resize(std::min(kBufferSize, entry_.packed_size - packed_read_));
    file_.read_at(entry_.data_offset + packed_read_, std::as_writable_bytes(std::span(buffer_)));
    packed_read_ += buffer_.size();
    packed_ = buffer_;
  }

  /// Nothing may follow the last announced byte, and the checksum must agree.
  void check_end(std::size_t last_read) {
    while (inflater_ && !ended_) {
      char surplus = 0;
      const bool nothing_left = packed_.empty() && packed_read_ == entry_.packed_size;
      if (inflate_some({&surplus, 1}) > 0 || (nothing_left && !ended_))
        fail("the deflated data do not end where the archive says");
    }
    if (crc_ != entry_.crc) {
      fail_at(position() + last_read,
              fmt::format("checksum {:08x} instead of {:08x}; the member is damaged", crc_, entry_.crc));
    }
  }

  const InputFile& file_;
  ZipEntry entry_;
  std::optional<Inflater> inflater_;
  std::string buffer_;
  std::string_view packed_;  // what is left in the buffer
  std::uint64_t packed_read_ = 0;
  std::uint32_t crc_ = 0;
  bool ended_ = false;
};

}  // namespace

ZipReader::ZipReader(const std::filesystem::path& path) : file_(path) {
  const Directory directory = find_directory();
  read_entries(directory);
  for (ZipEntry& entry : entries_) locate_data(entry);
  check_overlap(directory.offset);
}

void ZipReader::fail(std::uint64_t position, const std::string& message) const {
  throw InvalidInput(fmt::format("{}, byte {}: {}", file_.name(), position, message));
}

std::vector<std::byte> ZipReader::read(std::uint64_t position, std::uint64_t size, const char* what) const {
  if (position > file_.size() || size > file_.size() - position) {
    fail(position,
         fmt::format("{} of {} bytes lies beyond the end of the file ({} bytes); the archive is truncated "
                     "or damaged",
                     what, size, file_.size()));
  }
  std::vector<std::byte> bytes(size);
  file_.read_at(position, bytes);
  return bytes;
}

/// The end record is the last thing in the file, but for a comment of at most 65535 bytes whose length it
/// tells.
ZipReader::Directory ZipReader::find_directory() const {
  const std::size_t tail_size = std::min<std::uint64_t>(file_.size(), zip::kEndRecordSize + 0xffff);
  const std::uint64_t tail_begin = file_.size() - tail_size;
  const std::vector<std::byte> tail = read(tail_begin, tail_size, "the end of the archive");
  for (std::size_t begin = tail_size - std::min(tail_size, zip::kEndRecordSize - 1); begin-- > 0;) {
    if (number<std::uint32_t>(tail, begin) != zip::kEndRecord) continue;
    const auto record = std::span(tail).subspan(begin);
    if (number<std::uint16_t>(record, 20) != record.size() - zip::kEndRecordSize) continue;
    const Directory directory{number<std::uint16_t>(record, 10), number<std::uint32_t>(record, 12),
                              number<std::uint32_t>(record, 16)};
    const bool zip64 =
        directory.count == zip::kIn64Short || directory.size == zip::kIn64 || directory.offset == zip::kIn64;
    if (zip64) return read_zip64_directory(tail_begin + begin);
    const bool one_disk =
        number<std::uint32_t>(record, 4) == 0 && number<std::uint16_t>(record, 8) == directory.count;
    if (!one_disk)
      fail(tail_begin + begin, "the archive is spread over several files, which is not supported");
    if (directory.offset + directory.size != tail_begin + begin) {
      fail(tail_begin + begin, fmt::format("the central directory (byte {}, {} bytes) does not end here",
                                           directory.offset, directory.size));
    }
    return directory;
  }
  fail(file_.size(), "no end-of-archive record; this is not a zip archive (.npz), or it is truncated");
}

ZipReader::Directory ZipReader::read_zip64_directory(std::uint64_t end_record) const {
  if (end_record < zip::kEndLocator64Size + zip::kEndRecord64Size)
    fail(end_record, "no room for the zip64 records");
  const std::uint64_t locator_at = end_record - zip::kEndLocator64Size;
  const auto locator = read(locator_at, zip::kEndLocator64Size, "the zip64 locator");
  if (number<std::uint32_t>(locator, 0) != zip::kEndLocator64) fail(locator_at, "expected the zip64 locator");
  const auto record_at = number<std::uint64_t>(locator, 8);
  const auto record = read(record_at, zip::kEndRecord64Size, "the zip64 end record");
  if (number<std::uint32_t>(record, 0) != zip::kEndRecord64) fail(record_at, "expected the zip64 end record");
  const Directory directory{number<std::uint64_t>(record, 32), number<std::uint64_t>(record, 40),
                            number<std::uint64_t>(record, 48)};
  const bool one_disk =
      number<std::uint64_t>(record, 16) == 0 && number<std::uint64_t>(record, 24) == directory.count;
  if (!one_disk) fail(record_at, "the archive is spread over several files, which is not supported");
  if (directory.size > record_at || directory.offset != record_at - directory.size) {
    fail(record_at, fmt::format("the central directory (byte {}, {} bytes) does not end here",
                                directory.offset, directory.size));
  }
  return directory;
}

void ZipReader::read_entries(const Directory& directory) {
  const auto bytes = read(directory.offset, directory.size, "the central directory");
  if (directory.count > directory.size / zip::kCentralHeaderSize) {
    fail(directory.offset,
         fmt::format("{} members cannot be listed in {} bytes", directory.count, directory.size));
  }
  std::set<std::string> seen;
  std::size_t at = 0;
  for (std::uint64_t i = 0; i < directory.count; ++i) {
    const std::uint64_t position = directory.offset + at;
    const auto rest = std::span(bytes).subspan(at);
    if (rest.size() < zip::kCentralHeaderSize || number<std::uint32_t>(rest, 0) != zip::kCentralHeader) {
      fail(position, fmt::format("expected the directory entry of member {} of {}", i + 1, directory.count));
    }
    const std::size_t name_size = number<std::uint16_t>(rest, 28);
    const std::size_t extra_size = number<std::uint16_t>(rest, 30);
    const std::size_t total =
        zip::kCentralHeaderSize + name_size + extra_size + number<std::uint16_t>(rest, 32);
    if (total > rest.size()) fail(position, "the directory entry runs beyond the central directory");
    const auto* text = reinterpret_cast<const char*>(rest.data()) + zip::kCentralHeaderSize;
    ZipEntry entry{{text, name_size},
                   number<std::uint16_t>(rest, 10),
                   number<std::uint16_t>(rest, 8),
                   number<std::uint32_t>(rest, 16),
                   number<std::uint32_t>(rest, 20),
                   number<std::uint32_t>(rest, 24),
                   number<std::uint32_t>(rest, 42),
                   0};
    read_zip64_extra(rest.subspan(zip::kCentralHeaderSize + name_size, extra_size), position, entry);
    check_entry(entry, position);
    if (!seen.insert(entry.name).second)
      fail(position, fmt::format("two members are named '{}'", entry.name));
    entries_.push_back(std::move(entry));
    at += total;
  }
  if (at != bytes.size()) fail(directory.offset + at, "bytes left over after the last directory entry");
}

void ZipReader::read_zip64_extra(std::span<const std::byte> extra, std::uint64_t position,
                                 ZipEntry& entry) const {
  const bool wanted =
      entry.size == zip::kIn64 || entry.packed_size == zip::kIn64 || entry.header_offset == zip::kIn64;
  if (!wanted) return;
  while (extra.size() >= 4) {
    const auto id = number<std::uint16_t>(extra, 0);
    const std::size_t size = number<std::uint16_t>(extra, 2);
    if (size > extra.size() - 4) break;
    auto field = extra.subspan(4, size);
    extra = extra.subspan(4 + size);
    if (id != zip::kZip64Extra) continue;
    for (std::uint64_t* value : {&entry.size, &entry.packed_size, &entry.header_offset}) {
      if (*value != zip::kIn64) continue;
      if (field.size() < 8) fail(position, "the zip64 field is too short");
      *value = number<std::uint64_t>(field, 0);
      field = field.subspan(8);
    }
    return;
  }
  fail(position,
       fmt::format("member '{}' needs a zip64 field, which is missing or damaged", printable(entry.name)));
}

void ZipReader::check_entry(const ZipEntry& entry, std::uint64_t position) const {
  const auto refuse = [&](const std::string& why) {
    fail(position, fmt::format("member '{}' {}", printable(entry.name), why));
  };
  if (!is_safe_name(entry.name)) refuse("has a name that is not a plain relative path");
  if ((entry.flags & zip::kEncryptedFlag) != 0) refuse("is encrypted; write the archive without a password");
  if (entry.method != zip::kStored && entry.method != zip::kDeflated) {
    refuse(fmt::format("is packed with method {}; stored (0) and deflated (8) are supported", entry.method));
  }
  if (entry.packed_size > file_.size()) {
    refuse(fmt::format("claims {} packed bytes, but the file has {}", entry.packed_size, file_.size()));
  }
  const bool stored_wrong = entry.method == zip::kStored && entry.size != entry.packed_size;
  if (stored_wrong || entry.size > entry.packed_size * zip::kMostExpansion) {
    refuse(fmt::format("claims {} bytes, which {} {} bytes cannot hold", entry.size, entry.packed_size,
                       entry.method == zip::kStored ? "stored" : "deflated"));
  }
}

void ZipReader::locate_data(ZipEntry& entry) const {
  const auto header = read(entry.header_offset, zip::kLocalHeaderSize, "the header of a member");
  if (number<std::uint32_t>(header, 0) != zip::kLocalHeader) {
    fail(entry.header_offset, fmt::format("expected the header of member '{}'", entry.name));
  }
  const std::size_t name_size = number<std::uint16_t>(header, 26);
  const auto name = read(entry.header_offset + zip::kLocalHeaderSize, name_size, "the name of a member");
  const bool same = std::string(reinterpret_cast<const char*>(name.data()), name_size) == entry.name &&
                    number<std::uint16_t>(header, 8) == entry.method;
  if (!same) {
    fail(entry.header_offset, fmt::format("the header differs from the directory entry of '{}'", entry.name));
  }
  entry.data_offset =
      entry.header_offset + zip::kLocalHeaderSize + name_size + number<std::uint16_t>(header, 28);
}

/// Overlapping members are how a small archive unpacks to more than its bytes could hold.
void ZipReader::check_overlap(std::uint64_t directory_offset) const {
  std::vector<const ZipEntry*> order;
  order.reserve(entries_.size());
  for (const ZipEntry& entry : entries_) order.push_back(&entry);
  std::sort(order.begin(), order.end(),
            [](const ZipEntry* a, const ZipEntry* b) { return a->header_offset < b->header_offset; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint64_t limit = i + 1 < order.size() ? order[i + 1]->header_offset : directory_offset;
    const ZipEntry& entry = *order[i];
    if (entry.data_offset > limit || entry.packed_size > limit - entry.data_offset) {
      fail(entry.header_offset,
           fmt::format("member '{}' ({} bytes from byte {}) overlaps what begins at byte {}", entry.name,
                       entry.packed_size, entry.data_offset, limit));
    }
  }
}

std::unique_ptr<ByteSource> ZipReader::open(const ZipEntry& entry) const {
  return std::make_unique<ZipMember>(file_, entry);
}

}  // namespace dshn::io
