#include "dshn/io/load.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "dshn/base/error.hpp"
#include "dshn/io/format.hpp"
#include "dshn/io/npz.hpp"
#include "io/byte_stream.hpp"
#include "io/input_file.hpp"
#include "io/text_words.hpp"

namespace dshn::io {
namespace {

namespace fs = std::filesystem;

/// The first bytes, decompressed.
std::string peek(const fs::path& path) {
  std::array<char, 4096> start{};
  const std::size_t got = open_bytes(path)->read(start);
  return {start.data(), got};
}

Candidate look_at(const fs::path& path) {
  Candidate candidate{path, false, extension_of(path), {}, {}};
  if (path != kStandardInput) {
    const fs::file_status status = fs::status(path);
    if (!fs::exists(status)) throw InvalidInput(fmt::format("{}: no such file or folder", path.string()));
    candidate.folder = fs::is_directory(status);
  }
  if (candidate.folder) return candidate;
  candidate.start = peek(path);
  const bool archive = candidate.start.starts_with("PK\x03\x04") || candidate.start.starts_with("PK\x05\x06");
  if (archive && other_than_text(candidate.start).empty()) candidate.members = npz_members(path);
  return candidate;
}

std::string why_unknown(const Candidate& candidate) {
  if (candidate.folder) return "not a data set folder";
  if (const std::string_view other = other_than_text(candidate.start); !other.empty())
    return std::string(other);
  if (candidate.start.empty()) return "the file is empty";
  if (candidate.start.starts_with("\x93NUMPY")) return "a single NumPy array is no graph";
  if (candidate.members.empty()) return "unknown content";
  return fmt::format("an archive with the arrays {} holds no graph that is known here",
                     fmt::join(candidate.members, ", "));
}

/// What `f` gives; a problem of the file system is one of the input.
template <typename F>
decltype(auto) readable(const fs::path& path, F&& f) {
  try {
    return f();
  } catch (const fs::filesystem_error& error) {
    throw InvalidInput(fmt::format("{}: cannot be read: {}", path.string(), error.code().message()));
  }
}

}  // namespace

const Format& format_to_read(const fs::path& path) {
  return readable(path, [&]() -> const Format& {
    const Candidate candidate = look_at(path);
    for (const Format& format : formats()) {
      if (format.read && format.recognise(candidate)) return format;
    }
    throw InvalidInput(fmt::format("{}: {}; expected one of: {}", shown_path(path), why_unknown(candidate),
                                   input_formats()));
  });
}

Loaded load(const fs::path& path, const LoadOptions& options) {
  const Format& format = format_to_read(path);
  return readable(path, [&] { return format.read(path, options); });
}

}  // namespace dshn::io
