#include "dshn/io/npz.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "io/npy_codec.hpp"
#include "io/zip.hpp"

namespace dshn::io {
namespace {

constexpr std::string_view kMemberSuffix = ".npy";

std::string array_name(const ZipEntry& entry) {
  const std::string& name = entry.name;
  return name.ends_with(kMemberSuffix) ? name.substr(0, name.size() - kMemberSuffix.size()) : name;
}

}  // namespace

std::vector<std::string> npz_members(const std::filesystem::path& path) {
  const ZipReader archive(path);
  std::vector<std::string> names;
  for (const ZipEntry& entry : archive.entries()) names.push_back(array_name(entry));
  return names;
}

Arrays read_npz(const std::filesystem::path& path) {
  const ZipReader archive(path);
  Arrays arrays;
  for (const ZipEntry& entry : archive.entries()) {
    const auto [place, is_new] = arrays.try_emplace(array_name(entry));
    if (!is_new)
      throw InvalidInput(fmt::format("{}: two arrays are named '{}'", path.string(), place->first));
    place->second = decode_npy(*archive.open(entry));
  }
  return arrays;
}

Arrays read_npz(const std::filesystem::path& path, const std::vector<std::string>& members) {
  const ZipReader archive(path);
  Arrays arrays;
  for (const std::string& member : members) {
    const auto found = std::find_if(archive.entries().begin(), archive.entries().end(),
                                    [&](const ZipEntry& entry) { return array_name(entry) == member; });
    if (found == archive.entries().end()) {
      std::vector<std::string> present;
      for (const ZipEntry& entry : archive.entries()) present.push_back(array_name(entry));
      throw InvalidInput(fmt::format("{}: no array '{}'; the archive holds: {}", path.string(), member,
                                     fmt::join(present, ", ")));
    }
    arrays[member] = decode_npy(*archive.open(*found));
  }
  return arrays;
}

void write_npz(const std::filesystem::path& path, const Arrays& arrays, bool deflate) {
  AtomicFile file(path);
  ZipWriter archive(file, {deflate, false});
  for (const auto& [name, array] : arrays) {
    std::vector<std::byte> storage;
    const std::string header = encode_npy_header(array);
    archive.add(name + std::string(kMemberSuffix),
                {std::as_bytes(std::span(header)), encode_npy_data(array, storage)});
  }
  archive.finish();
  file.commit();
}

}  // namespace dshn::io
