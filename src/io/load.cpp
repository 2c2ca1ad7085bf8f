#include "dshn/io/load.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <optional>

#include "dshn/base/error.hpp"
#include "dshn/io/hif.hpp"
#include "dshn/io/npz.hpp"
#include "dshn/io/raw.hpp"
#include "dshn/io/sparse.hpp"
#include "dshn/io/text.hpp"

namespace dshn::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSupported =
    "supported are data set folders (hypergraph.hif.json[.gz|.zst] and nodes.npz), HIF JSON, hyperedge and "
    "arc lists "
    "(TSV, CSV), heterophilous-graphs and scipy sparse .npz, LINQS .cites and WebKB folders";

/// The hypergraph file of a data set folder.
std::optional<fs::path> hypergraph_file(const fs::path& folder) {
  for (const char* const name :
       {"hypergraph.hif.json.gz", "hypergraph.hif.json.zst", "hypergraph.hif.json"}) {
    if (fs::exists(folder / name)) return folder / name;
  }
  return std::nullopt;
}

Loaded load_folder(const fs::path& folder, const LoadOptions& options) {
  if (is_webkb(folder)) return read_webkb(folder, options);
  const auto file = hypergraph_file(folder);
  if (!file) throw InvalidInput(fmt::format("{}: not a data set folder; {}", folder.string(), kSupported));
  Loaded loaded = read_hif(*file, options);
  loaded.format = "data set folder, " + loaded.format;
  const fs::path arrays = folder / "nodes.npz";
  if (!fs::exists(arrays)) return loaded;
  for (auto& [name, array] : read_npz(arrays)) {
    if (loaded.arrays.contains(name)) {
      loaded.warnings.push_back(
          fmt::format("'{}' is in the hypergraph file and in nodes.npz; the latter counts", name));
    }
    loaded.arrays[name] = std::move(array);
  }
  loaded.format += " and nodes.npz";
  return loaded;
}

Loaded load_archive(const fs::path& path, const LoadOptions& options) {
  const std::vector<std::string> members = npz_members(path);
  if (is_heterophilous(members)) return read_heterophilous(path, options);
  if (is_sparse(members)) return read_adjacency(path, options);
  throw InvalidInput(
      fmt::format("{}: an archive with the arrays {} holds no graph that is known here; {}", path.string(),
                  members.empty() ? "(none)" : fmt::format("{}", fmt::join(members, ", ")), kSupported));
}

/// The first bytes, decompressed.
std::string peek(const fs::path& path) {
  std::array<char, 4096> start{};
  const auto bytes = open_bytes(path);
  const std::size_t got = bytes->read(start);
  return {start.data(), got};
}

bool is_text(std::string_view start) {
  for (const char c : start) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') return false;
  }
  return true;
}

Loaded load_file(const fs::path& path, const LoadOptions& options) {
  const std::string start = peek(path);
  if (start.empty()) throw InvalidInput(fmt::format("{}: the file is empty; {}", path.string(), kSupported));
  if (start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06")) return load_archive(path, options);
  if (start.starts_with("\x93NUMPY")) {
    throw InvalidInput(fmt::format("{}: a single NumPy array is no graph; {}", path.string(), kSupported));
  }
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  const std::size_t skip = start.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const std::size_t first = start.find_first_not_of(" \t\r\n", skip);
  const bool json = first != std::string::npos && (start[first] == '{' || start[first] == '[');
  if (json) return read_hif(path, options);
  if (!is_text(start)) throw InvalidInput(fmt::format("{}: unknown content; {}", path.string(), kSupported));
  fs::path plain = path;
  if (compression_of_extension(plain) != Compression::none) plain.replace_extension();
  if (plain.extension() == ".cites") return read_linqs(path, options);
  return read_text(path, options);
}

}  // namespace

Loaded load(const fs::path& path, const LoadOptions& options) {
  try {
    const fs::file_status status = fs::status(path);
    if (!fs::exists(status)) throw InvalidInput(fmt::format("{}: no such file or folder", path.string()));
    return fs::is_directory(status) ? load_folder(path, options) : load_file(path, options);
  } catch (const fs::filesystem_error& error) {
    throw InvalidInput(fmt::format("{}: cannot be read: {}", path.string(), error.code().message()));
  }
}

}  // namespace dshn::io
