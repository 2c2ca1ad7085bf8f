#include "dshn/io/array_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "dshn/base/digest.hpp"
#include "dshn/base/error.hpp"
#include "dshn/base/parallel.hpp"
#include "dshn/base/utf8.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/json_shape.hpp"
#include "io/input_file.hpp"

namespace dshn::io {
namespace {

using nlohmann::ordered_json;

/// As of PNG: what takes the file for text changes these bytes, and no text begins so.
constexpr std::string_view kMagic(
    "\x89"
    "DSHN\r\n\x1a",
    8);
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::uint32_t kOtherByteOrder = 0x04030201;
constexpr std::uint32_t kVersion = 1;
/// Arrays begin at multiples of it: a line of the cache.
constexpr std::uint64_t kAlignment = 64;
/// Digests are made of pieces, side by side.
constexpr std::int64_t kPiece = std::int64_t{1} << 22;
constexpr std::size_t kDigestLetters = 16;

/// The first bytes.
struct Preamble {
  char magic[8];
  std::uint32_t byte_order;
  std::uint32_t version;
  std::uint64_t header_bytes;
  std::uint64_t file_bytes;
  char digest[kDigestLetters];
  char reserved[16];
};
static_assert(sizeof(Preamble) == kAlignment);

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Of the preamble but for the digest itself, and of the header.
std::string digest_of(const Preamble& preamble, std::string_view header) {
  Preamble rest = preamble;
  std::fill(std::begin(rest.digest), std::end(rest.digest), '\0');
  return Digest().add(std::as_bytes(std::span(&rest, 1))).add(header).text();
}

std::string digest_of(std::span<const std::byte> bytes) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  std::vector<std::string> pieces(static_cast<std::size_t>((size + kPiece - 1) / kPiece));
  parallel_for(static_cast<std::int64_t>(pieces.size()), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto piece = bytes.subspan(static_cast<std::size_t>(i * kPiece),
                                       static_cast<std::size_t>(std::min(kPiece, size - i * kPiece)));
      pieces[static_cast<std::size_t>(i)] = Digest().add(piece).text();
    }
  });
  Digest all;
  for (const std::string& piece : pieces) all.add(piece);
  return all.text();
}

/// Where each array goes.
struct Plan {
  ordered_json header = ordered_json::object();
  /// In the order of the file.
  std::vector<std::pair<std::uint64_t, std::span<const std::byte>>> pieces;
  std::uint64_t bytes = 0;
};

/// Begins are counted from the end of the header, which is not known before.
Plan plan_of(const std::string& kind, const ArrayViews& arrays) {
  Plan plan;
  plan.header["kind"] = kind;
  plan.header["arrays"] = ordered_json::object();
  std::multimap<std::string, std::size_t> known;  // pieces by their digests
  for (const auto& [name, array] : arrays) {
    if (find_invalid_utf8(name) != std::string::npos)
      throw UsageError("the name of an array is not UTF-8; expected UTF-8");
    if (array.dtype == DType::text)
      throw UsageError(fmt::format("the array '{}' holds text; expected numbers", name));
    const std::string digest = digest_of(array.bytes);
    const auto [first, last] = known.equal_range(digest);
    const auto same = std::find_if(first, last, [&](const auto& entry) {
      return std::ranges::equal(plan.pieces[entry.second].second, array.bytes);
    });
    std::uint64_t begin = plan.bytes;
    if (same != last) {
      begin = plan.pieces[same->second].first;
    } else {
      known.emplace(digest, plan.pieces.size());
      plan.pieces.emplace_back(begin, array.bytes);
      plan.bytes = aligned(begin + array.bytes.size());
    }
    plan.header["arrays"][name] = {
        {"type", dtype_name(array.dtype)}, {"shape", array.shape}, {"begin", begin}, {"digest", digest}};
  }
  return plan;
}

std::optional<DType> dtype_named(const std::string& name) {
  for (auto i = static_cast<int>(DType::boolean); i < static_cast<int>(DType::text); ++i)
    if (name == dtype_name(static_cast<DType>(i))) return static_cast<DType>(i);
  return std::nullopt;
}

/// How many bytes an array has; nothing where that is more than `most`.
std::optional<std::uint64_t> bytes_of(DType dtype, const std::vector<std::int64_t>& shape,
                                      std::uint64_t most) {
  constexpr std::uint64_t kMostOfNone = std::uint64_t{1} << 62;  // shapes like (5, 0)
  const bool none = std::ranges::find(shape, 0) != shape.end();
  const std::uint64_t limit = none ? kMostOfNone : most;
  std::uint64_t bytes = item_size(dtype);
  for (const std::int64_t extent : shape) {
    const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(extent, 1));
    if (bytes > limit / count) return std::nullopt;
    bytes *= count;
  }
  return none ? 0 : bytes;
}

Shape header_shape() {
  const Shape whole = Shape::integer(0, std::numeric_limits<std::int64_t>::max());
  const Shape entry = Shape::object(
      {{"type", Shape::text()}, {"shape", Shape::list(whole)}, {"begin", whole}, {"digest", Shape::text()}});
  return Shape::object({{"kind", Shape::text()}, {"arrays", Shape::map(entry)}});
}

}  // namespace

ArrayViews views_of(const Arrays& arrays) {
  ArrayViews views;
  for (const auto& [name, array] : arrays) {
    if (array.dtype == DType::text)
      throw UsageError(fmt::format("the array '{}' holds text; expected numbers", name));
    views[name] = {array.dtype, array.shape, array.bytes, {}};
  }
  return views;
}

Arrays copies_of(const ArrayViews& views) {
  Arrays arrays;
  for (const auto& [name, view] : views)
    arrays[name] = {view.dtype, view.shape, {view.bytes.begin(), view.bytes.end()}, {}};
  return arrays;
}

std::string write_array_file(const std::filesystem::path& path, const std::string& kind,
                             const ArrayViews& arrays) {
  const Plan plan = plan_of(kind, arrays);
  std::string header = plan.header.dump();
  header.resize(aligned(header.size()), ' ');
  Preamble preamble{};
  std::copy(kMagic.begin(), kMagic.end(), preamble.magic);
  preamble.byte_order = kByteOrder;
  preamble.version = kVersion;
  preamble.header_bytes = header.size();
  preamble.file_bytes = sizeof preamble + header.size() + plan.bytes;
  const std::string digest = digest_of(preamble, header);
  std::copy(digest.begin(), digest.end(), preamble.digest);

  AtomicFile out(path);
  out.write(std::as_bytes(std::span(&preamble, 1)));
  out.write(header);
  constexpr std::array<std::byte, kAlignment> kGap{};
  for (const auto& [begin, bytes] : plan.pieces) {
    out.write(bytes);
    out.write(std::span(kGap).first(aligned(bytes.size()) - bytes.size()));
  }
  out.commit();
  return digest;
}

bool begins_as_array_file(std::string_view start) {
  return start.starts_with(kMagic);
}

bool is_array_file(const std::filesystem::path& path) {
  std::array<char, kMagic.size()> start{};
  const std::size_t got = InputFile(path).read(start);
  return begins_as_array_file({start.data(), got});
}

ArrayFile::ArrayFile(const std::filesystem::path& path, const std::string& kind) {
  const InputFile file(path);
  name_ = file.name();
  const auto [bytes, owner] = file.contents();
  size_ = bytes.size();
  Preamble preamble{};
  if (size_ < sizeof preamble)
    fail(size_, fmt::format("the file ends here; expected {} bytes or more", sizeof preamble));
  std::memcpy(&preamble, bytes.data(), sizeof preamble);
  if (std::string_view(preamble.magic, sizeof preamble.magic) != kMagic)
    fail(0, "the first bytes are not those of a file of arrays");
  if (preamble.byte_order == kOtherByteOrder)
    fail(8, "was written on a machine of another byte order; convert it there to a folder first");
  if (preamble.byte_order != kByteOrder) fail(8, "the mark of the byte order is damaged");
  if (preamble.version != kVersion)
    fail(12, fmt::format("version {}, expected {}{}", preamble.version, kVersion,
                         preamble.version > kVersion ? "; it was written by a newer program" : ""));
  if (preamble.file_bytes != size_) {
    const std::uint64_t at = std::min(preamble.file_bytes, size_);
    fail(at, size_ < preamble.file_bytes
                 ? fmt::format("the file ends here; expected {} bytes", preamble.file_bytes)
                 : fmt::format("{} bytes are left over", size_ - at));
  }
  if (preamble.header_bytes > size_ - sizeof preamble || preamble.header_bytes % kAlignment != 0)
    fail(16, fmt::format("a header of {} bytes does not fit the file", preamble.header_bytes));
  const std::string header(reinterpret_cast<const char*>(bytes.data()) + sizeof preamble,
                           preamble.header_bytes);
  digest_ = std::string(preamble.digest, kDigestLetters);
  if (const std::string found = digest_of(preamble, header); found != digest_) {
    fail(sizeof preamble,
         fmt::format("the header is not what was written: its digest is {}, expected {}", found,
                     find_invalid_utf8(digest_) == std::string::npos ? digest_ : "another"));
  }
  read_entries(header, kind, bytes, owner);
}

void ArrayFile::read_entries(const std::string& header, const std::string& kind,
                             std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner) {
  const ordered_json document = parse_json(header, name_, "a conversion");
  if (const std::string fault = header_shape().fault(document); !fault.empty()) fail(sizeof(Preamble), fault);
  if (const auto found = document.at("kind").get<std::string>(); found != kind)
    fail(sizeof(Preamble), fmt::format("holds a {}; expected a {}", found, kind));
  const std::uint64_t first = sizeof(Preamble) + header.size();
  const std::uint64_t room = size_ - first;
  for (const auto& [name, entry] : document.at("arrays").items()) {
    const auto dtype = dtype_named(entry.at("type").get<std::string>());
    if (!dtype) fail(sizeof(Preamble), fmt::format("unknown type of the array '{}'", name));
    auto shape = entry.at("shape").get<std::vector<std::int64_t>>();
    const auto begin = entry.at("begin").get<std::uint64_t>();
    const auto count = bytes_of(*dtype, shape, room);
    if (!count || begin > room || *count > room - begin || begin % kAlignment != 0)
      fail(sizeof(Preamble), fmt::format("the array '{}' does not lie in the file", name));
    const auto place = bytes.subspan(first + begin, *count);
    arrays_[name] = {*dtype, std::move(shape), place, owner};
    marks_[name] = {first + begin, entry.at("digest").get<std::string>()};
  }
}

void ArrayFile::verify(std::uint64_t most_bytes) const {
  for (const auto& [name, array] : arrays_) {
    if (array.bytes.size() > most_bytes) continue;
    const Mark& mark = marks_.at(name);
    if (const std::string found = digest_of(array.bytes); found != mark.digest) {
      fail(mark.begin, fmt::format("the array '{}' is not what was written: its digest is {}, expected {}",
                                   name, found, mark.digest));
    }
  }
}

void ArrayFile::fail(std::uint64_t byte, const std::string& what) const {
  throw InvalidInput(fmt::format("{}, byte {}: {}", name_, byte, what));
}

}  // namespace dshn::io
