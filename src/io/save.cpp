#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/format.hpp"
#include "io/byte_stream.hpp"

namespace dshn::io {
namespace {

namespace fs = std::filesystem;

/// Whether nothing is lost with the folder but files of the format.
bool holds_only(const fs::path& folder, const std::vector<std::string>& files) {
  const auto entries = fs::directory_iterator(folder);
  return std::all_of(fs::begin(entries), fs::end(entries), [&](const fs::directory_entry& entry) {
    return std::find(files.begin(), files.end(), entry.path().filename()) != files.end();
  });
}

void check_replaceable(const Format& format, const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (!format.folder || !fs::exists(status)) return;
  if (!fs::is_directory(status)) throw UsageError(fmt::format("{}: is a file, not a folder", path.string()));
  if (holds_only(path, format.files)) return;
  throw UsageError(fmt::format("{}: holds more than a {} ({}) and is never replaced; choose another name",
                               path.string(), format.title, fmt::join(format.files, ", ")));
}

std::vector<std::string> write(const Format& format, const Loaded& loaded, const fs::path& path) {
  if (!format.folder) return format.write(loaded, path);
  AtomicFolder folder(path);
  std::vector<std::string> left_out = format.write(loaded, folder.temporary());
  check_replaceable(format, path);  // someone may have put something there in the meantime
  folder.commit();
  return left_out;
}

}  // namespace

const Format& format_to_write(const fs::path& path) {
  if (path.empty()) throw UsageError("the name of the output is empty");
  std::error_code ignored;
  const bool folder = !path.has_filename() || !path.has_extension() || fs::is_directory(path, ignored);
  const std::string extension = extension_of(path);
  for (const Format& format : formats()) {
    const auto& known = format.extensions;
    const bool named = std::find(known.begin(), known.end(), extension) != known.end() &&
                       (format.compressible || compression_of_extension(path) == Compression::none);
    if (format.write && (folder ? format.folder : named)) return format;
  }
  throw UsageError(
      fmt::format("{}: no format has this name; expected one of: {}", path.string(), output_names()));
}

void check_target(const fs::path& path) {
  check_replaceable(format_to_write(path), path);
}

std::vector<std::string> save(const Loaded& loaded, const fs::path& path) {
  const Format& format = format_to_write(path);
  check_replaceable(format, path);
  const std::vector<std::string> left_out = write(format, loaded, path);
  if (left_out.empty()) return {};
  return {fmt::format("{} cannot hold {}, which {} left out; a data set folder holds everything",
                      path.string(), fmt::join(left_out, ", "), left_out.size() == 1 ? "is" : "are")};
}

}  // namespace dshn::io
