#include "dshn/data/catalog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "data/synthetic.hpp"
#include "dshn/base/error.hpp"
#include "dshn/io/data_files.hpp"

namespace dshn::data {
namespace fs = std::filesystem;
namespace {

std::optional<fs::path> from_environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return fs::path(value);
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error == std::errc::permission_denied) {
    throw InvalidInput(fmt::format("{}: {}", path.string(), error.message()));
  }
  return fs::is_directory(status);
}

std::string looked_in() {
  std::vector<std::string> folders;
  for (const fs::path& folder : data_folders()) folders.push_back(folder.string());
  if (folders.empty()) return "nowhere to look: neither DSHN_DATA_DIR nor HOME is set";
  return fmt::format("looked in {}", fmt::join(folders, " and "));
}

}  // namespace

std::optional<fs::path> cache_folder() {
  if (const auto cache = from_environment("XDG_CACHE_HOME")) return *cache / "dshn";
  if (const auto home = from_environment("HOME")) return *home / ".cache" / "dshn";
  return std::nullopt;
}

std::vector<fs::path> data_folders() {
  std::vector<fs::path> folders;
  if (const auto data = from_environment("DSHN_DATA_DIR")) folders.push_back(*data);
  if (const auto cache = cache_folder()) folders.push_back(*cache);
  return folders;
}

std::optional<fs::path> locate(std::string_view name) {
  for (const fs::path& folder : data_folders()) {
    if (is_folder(folder / name)) return folder / name;
  }
  return std::nullopt;
}

bool is_here(std::string_view name) {
  const Entry* entry = find_entry(name);
  const bool made =
      entry != nullptr && (entry->source.availability == Availability::generated || generated_name(name));
  return made || locate(name);
}

bool is_download(const fs::path& folder, const Entry& entry) {
  if (entry.source.availability != Availability::download || io::hypergraph_file(folder)) return false;
  return std::ranges::all_of(entry.source.files,
                             [&](const SourceFile& file) { return fs::exists(folder / file.file_name()); });
}

fs::path loadable(const fs::path& folder, const Entry& entry) {
  const bool one_file = is_download(folder, entry) && !entry.source.open_file.empty();
  return one_file ? folder / entry.source.open_file : folder;
}

std::string missing_message(const Entry& entry, bool name_folders) {
  const std::string start = fmt::format("data set {} is not here{}", entry.name,
                                        name_folders ? fmt::format(" ({})", looked_in()) : "");
  switch (entry.source.availability) {
    case Availability::download:
      return start + " but can be fetched";
    case Availability::manual:
      return fmt::format("{} and cannot be fetched: {}; put its folder into DSHN_DATA_DIR; published at {}",
                         start, entry.source.remark, entry.source.home);
    case Availability::unavailable:
      return fmt::format("{} and is not publicly available: {}", start, entry.source.remark);
    case Availability::generated:
      break;
  }
  return start;
}

}  // namespace dshn::data
