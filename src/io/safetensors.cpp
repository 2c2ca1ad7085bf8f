#include "dshn/io/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <nlohmann/json.hpp>
#include <utility>

#include "dshn/base/digest.hpp"
#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "io/byte_source.hpp"

namespace dshn::io {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian");

/// Names in the order of DType; complex numbers and text have none.
constexpr std::array<const char*, 12> kTypeNames{"BOOL", "I8",  "I16", "I32", "I64", "U8",
                                                 "U16",  "U32", "U64", "F16", "F32", "F64"};
constexpr const char* kMetadata = "__metadata__";
constexpr const char* kDigest = "digest";  // an entry of the metadata, for what else is in the file
constexpr std::uint64_t kMostHeaderBytes = 100'000'000;  // as the format says

/// What the header says about an array.
struct Entry {
  std::string name;
  Array array;  // without its bytes
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};

Entry parse_entry(const std::string& name, const nlohmann::json& entry, std::uint64_t data_size) {
  const auto type = std::find(kTypeNames.begin(), kTypeNames.end(), entry.at("dtype").get<std::string>());
  if (type == kTypeNames.end()) throw InvalidInput(fmt::format("unknown type of '{}'", name));
  Entry out{name,
            {static_cast<DType>(type - kTypeNames.begin()),
             entry.at("shape").get<std::vector<std::int64_t>>(),
             {},
             {}}};
  const auto [begin, end] = entry.at("data_offsets").get<std::pair<std::uint64_t, std::uint64_t>>();
  if (begin > end || end > data_size) throw InvalidInput(fmt::format("'{}' lies outside the file", name));
  out.begin = begin;
  out.size = end - begin;
  std::uint64_t size = item_size(out.array.dtype);
  for (const std::int64_t extent : out.array.shape) {
    if (extent < 0 || (extent > 0 && size > data_size / static_cast<std::uint64_t>(extent)))
      throw InvalidInput(fmt::format("the shape of '{}' is larger than the file", name));
    size *= static_cast<std::uint64_t>(extent);
  }
  if (size != out.size) throw InvalidInput(fmt::format("shape and length of '{}' differ", name));
  return out;
}

/// The arrays in the order of their bytes, which they cover without a gap and without sharing any.
std::vector<Entry> parse_entries(const nlohmann::json& header, std::uint64_t data_size) {
  std::vector<Entry> entries;
  for (const auto& [name, entry] : header.items()) {
    if (name != kMetadata) entries.push_back(parse_entry(name, entry, data_size));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.begin, a.size) < std::pair(b.begin, b.size);
  });
  std::uint64_t next = 0;
  for (const Entry& entry : entries) {
    if (entry.begin != next)
      throw InvalidInput(fmt::format("'{}' does not begin where the array before it ends", entry.name));
    next += entry.size;
  }
  if (next != data_size) throw InvalidInput("bytes are left over behind the last array");
  return entries;
}

/// Of names, types, shapes and numbers, and of what the metadata says beside this.
std::string digest_of(const TensorFile& file) {
  Digest digest;
  for (const auto& [name, value] : file.metadata)
    if (name != kDigest) digest.add(name).add(value);
  for (const auto& [name, array] : file.arrays) {
    digest.add(name).add(static_cast<std::uint64_t>(array.dtype));
    digest.add(std::span<const std::int64_t>(array.shape)).add(std::span<const std::byte>(array.bytes));
  }
  return digest.text();
}

/// Files of other programs, and of version 0.2 and before, have no digest.
void check_digest(TensorFile& file) {
  const auto stored = file.metadata.find(kDigest);
  if (stored == file.metadata.end()) return;
  if (stored->second != digest_of(file)) throw InvalidInput("its bytes are not those that were written");
  file.metadata.erase(stored);
}

std::string read_header(FileSource& source) {
  std::uint64_t length = 0;
  source.read(std::as_writable_bytes(std::span(&length, 1)));
  if (length > source.remaining() || length > kMostHeaderBytes) source.fail("the header is cut off");
  std::string text(length, '\0');
  source.read(std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, const TensorFile& file) {
  nlohmann::json header = nlohmann::json::object();
  header[kMetadata] = file.metadata;
  header[kMetadata][kDigest] = digest_of(file);
  std::uint64_t offset = 0;
  for (const auto& [name, array] : file.arrays) {
    const auto type = static_cast<std::size_t>(array.dtype);
    if (type >= kTypeNames.size())
      throw UsageError(fmt::format("'{}': safetensors hold no {}", name, dtype_name(array.dtype)));
    const std::uint64_t end = offset + array.bytes.size();
    header[name] = {{"dtype", kTypeNames[type]}, {"shape", array.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size();
  AtomicFile out(path);
  out.write(std::as_bytes(std::span(&length, 1)));
  out.write(text);
  for (const auto& [name, array] : file.arrays) out.write(array.bytes);
  out.commit();
}

TensorFile read_safetensors(const std::filesystem::path& path) {
  FileSource source(path);
  const nlohmann::json header =
      nlohmann::json::parse(read_header(source), nullptr, /*allow_exceptions=*/false);
  TensorFile file;
  try {
    if (!header.is_object()) throw InvalidInput("the header is not a JSON object");
    if (header.contains(kMetadata)) header[kMetadata].get_to(file.metadata);
    for (Entry& entry : parse_entries(header, source.remaining())) {
      entry.array.bytes.resize(entry.size);
      source.read(entry.array.bytes);
      const auto is_no_bool = [](std::byte b) { return b > std::byte{1}; };
      if (entry.array.dtype == DType::boolean &&
          std::any_of(entry.array.bytes.begin(), entry.array.bytes.end(), is_no_bool))
        throw InvalidInput(fmt::format("'{}' is boolean and has bytes other than 0 and 1", entry.name));
      file.arrays.emplace(std::move(entry.name), std::move(entry.array));
    }
    check_digest(file);
  } catch (const nlohmann::json::exception& error) {
    throw InvalidInput(fmt::format("{}: not a whole safetensors file: {}", path.string(), error.what()));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: not a whole safetensors file: {}", path.string(), error.what()));
  }
  return file;
}

}  // namespace dshn::io
