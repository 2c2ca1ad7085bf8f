#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/io/byte_stream.hpp"
#include "dshn/io/hif.hpp"
#include "dshn/io/load.hpp"
#include "dshn/io/npz.hpp"
#include "dshn/io/text.hpp"

namespace dshn::io {
namespace {

namespace fs = std::filesystem;

enum class Target : std::uint8_t { folder, hif, hyperedge_list };

Target target_of(const fs::path& path) {
  if (fs::is_directory(path) || !path.has_filename()) return Target::folder;
  fs::path plain = path;
  if (compression_of_extension(plain) != Compression::none) plain.replace_extension();
  const std::string extension = plain.extension().string();
  if (extension.empty() && plain == path) return Target::folder;
  if (extension == ".json" || extension == ".hif") return Target::hif;
  if (extension == ".tsv" || extension == ".csv" || extension == ".txt") return Target::hyperedge_list;
  throw UsageError(
      fmt::format("{}: unknown kind of file '{}'; write a folder (no extension), .hif.json, .tsv or .csv, "
                  "each file also with .gz or .zst",
                  path.string(), plain.filename().extension().string()));
}

void save_folder(const Hypergraph& hypergraph, const Arrays& arrays, const fs::path& folder,
                 const HifWriteOptions& options) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Failure(fmt::format("{}: cannot create the folder: {}", folder.string(), error.message()));
  const fs::path array_file = folder / "nodes.npz";
  write_hif(hypergraph, folder / "hypergraph.hif.json.gz", options);
  if (arrays.empty()) {
    fs::remove(array_file, error);  // an earlier data set's arrays would be read along with this hypergraph
  } else {
    write_npz(array_file, arrays);
  }
}

/// Whether the array is one integer per item, which HIF can hold as a label.
bool is_label(const Array& array, Index items) {
  const bool integer = array.dtype >= DType::int8 && array.dtype <= DType::uint64;
  return integer && array.shape == std::vector<std::int64_t>{items};
}

/// Writes a HIF file with the labels among the arrays and returns the names of the rest.
std::vector<std::string> save_hif(const Hypergraph& hypergraph, const Arrays& arrays, const fs::path& path,
                                  HifWriteOptions options) {
  std::vector<std::int64_t> node_labels;
  std::vector<std::int64_t> edge_labels;
  std::vector<std::string> rest;
  for (const auto& [name, array] : arrays) {
    if (name == "y" && is_label(array, hypergraph.node_count())) {
      node_labels = array.as<std::int64_t>(name);
    } else if (name == "edge_y" && is_label(array, hypergraph.edge_count())) {
      edge_labels = array.as<std::int64_t>(name);
    } else {
      rest.push_back(name);
    }
  }
  options.node_labels = node_labels;
  options.edge_labels = edge_labels;
  write_hif(hypergraph, path, options);
  return rest;
}

}  // namespace

std::vector<std::string> save(const Hypergraph& hypergraph, const Arrays& arrays, const fs::path& path,
                              const std::string& metadata) {
  HifWriteOptions options;
  options.metadata = metadata;
  std::vector<std::string> unsaved;
  std::vector<std::string> left_out;
  switch (target_of(path)) {
    case Target::folder:
      save_folder(hypergraph, arrays, path, options);
      break;
    case Target::hif:
      unsaved = save_hif(hypergraph, arrays, path, options);
      break;
    case Target::hyperedge_list:
      write_hyperedge_list(hypergraph, path);
      for (const auto& [name, array] : arrays) unsaved.push_back(name);
      if (!metadata.empty()) left_out.emplace_back("the metadata were left out; a hyperedge list holds none");
      break;
  }
  for (const std::string& name : unsaved) {
    left_out.push_back(fmt::format("the array '{}' was left out; a data set folder would hold it", name));
  }
  return left_out;
}

}  // namespace dshn::io
