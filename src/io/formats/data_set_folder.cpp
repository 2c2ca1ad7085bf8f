#include <fmt/format.h>

#include "dshn/io/data_files.hpp"
#include "dshn/io/format.hpp"
#include "dshn/io/hif.hpp"
#include "dshn/io/npz.hpp"

namespace dshn::io {

namespace fs = std::filesystem;

std::optional<fs::path> hypergraph_file(const fs::path& folder) {
  for (const char* const ending : {".gz", ".zst", ""}) {
    fs::path file = folder / (std::string(kHypergraphFile) + ending);
    if (fs::exists(file)) return file;
  }
  return std::nullopt;
}

namespace {

Loaded read_data_set(const fs::path& folder, const LoadOptions& options) {
  Loaded loaded = read_hif(*hypergraph_file(folder), options);
  loaded.format = "data set folder, " + loaded.format;
  if (!fs::exists(folder / kArraysFile)) return loaded;
  for (auto& [name, array] : read_npz(folder / kArraysFile)) {
    if (loaded.arrays.contains(name)) {
      loaded.warnings.push_back(
          fmt::format("'{}' is in the hypergraph file and in {}; the latter counts", name, kArraysFile));
    }
    loaded.arrays[name] = std::move(array);
  }
  loaded.format += fmt::format(" and {}", kArraysFile);
  return loaded;
}

std::vector<std::string> write_data_set(const Loaded& loaded, const fs::path& folder) {
  HifWriteOptions options;
  options.metadata = loaded.metadata;
  write_hif(loaded.hypergraph, folder / (std::string(kHypergraphFile) + ".gz"), options);
  if (!loaded.arrays.empty()) write_npz(folder / kArraysFile, loaded.arrays);
  return {};
}

}  // namespace

Format data_set_folder_format() {
  return {.name = "data-set-folder",
          .title = "data set folder",
          .folder = true,
          .files = {kHypergraphFile, std::string(kHypergraphFile) + ".gz",
                    std::string(kHypergraphFile) + ".zst", kArraysFile},
          .holds_metadata = true,
          .recognised_by = fmt::format("`{}[.gz\\|.zst]` in it", kHypergraphFile),
          .section = "data-set-folder",
          .recognise =
              [](const Candidate& candidate) {
                return candidate.folder && hypergraph_file(candidate.path).has_value();
              },
          .read = read_data_set,
          .write = write_data_set};
}

}  // namespace dshn::io
