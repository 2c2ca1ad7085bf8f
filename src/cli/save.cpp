#include "cli/save.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>

#include "dshn/base/error.hpp"
#include "dshn/io/hif.hpp"
#include "dshn/io/text.hpp"

namespace dshn::cli {
namespace {

namespace fs = std::filesystem;

/// A label that HIF can carry beside its item; empty where there are none.
std::vector<std::int64_t> labels(const io::Arrays& arrays, const std::string& name) {
  const auto found = arrays.find(name);
  return found == arrays.end() ? std::vector<std::int64_t>{} : found->second.as<std::int64_t>(name);
}

std::vector<std::string> save_hif(const io::Loaded& loaded, const fs::path& path) {
  const std::vector<std::int64_t> node_labels = labels(loaded.arrays, "y");
  const std::vector<std::int64_t> edge_labels = labels(loaded.arrays, "edge_y");
  io::HifWriteOptions options;
  options.metadata = loaded.metadata;
  options.node_labels = node_labels;
  options.edge_labels = edge_labels;
  io::write_hif(loaded.hypergraph, path, options);
  std::vector<std::string> left_out;
  for (const auto& [name, array] : loaded.arrays) {
    if (name != "y" && name != "edge_y") left_out.push_back(name);
  }
  return left_out;
}

std::vector<std::string> save_list(const io::Loaded& loaded, const fs::path& path) {
  io::write_hyperedge_list(loaded.hypergraph, path);
  std::vector<std::string> left_out;
  for (const auto& [name, array] : loaded.arrays) left_out.push_back(name);
  if (!loaded.metadata.empty()) left_out.emplace_back("metadata");
  return left_out;
}

}  // namespace

Target target_of(const std::string& path) {
  if (path.empty()) throw UsageError("the name of the output is empty");
  if (path.back() == '/' || fs::is_directory(path)) return Target::folder;
  fs::path name = fs::path(path).filename();
  const std::string compression = name.extension().string();
  if (compression == ".gz" || compression == ".zst") name = name.stem();
  const std::string extension = name.extension().string();
  if (extension == ".json") return Target::hif;
  if (extension == ".tsv" || extension == ".csv" || extension == ".txt") return Target::incidence_list;
  if (extension.empty() && name == fs::path(path).filename()) return Target::folder;
  throw UsageError(
      fmt::format("{}: no format is known by this name; expected .json (HIF), .tsv, .csv or .txt (lists of "
                  "incidences), each "
                  "also with .gz or .zst, or a folder's name without extension or with a slash at its end",
                  path));
}

void check_target(const std::string& path, bool force) {
  const Target target = target_of(path);
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (!fs::exists(status)) return;
  if (!force) throw UsageError(fmt::format("{}: exists already; --force overwrites it", path));
  if (target != Target::folder) return;
  if (!fs::is_directory(status)) throw UsageError(fmt::format("{}: is a file, not a folder", path));
  if (is_plain_data_folder(path)) return;
  throw UsageError(fmt::format(
      "{}: holds more than a data set (hypergraph.hif.json, nodes.npz) and is not replaced, not even by "
      "force; choose another name",
      path));
}

std::vector<std::string> save(const io::Loaded& loaded, const std::string& path, bool force) {
  check_target(path, force);
  std::vector<std::string> left_out;
  switch (target_of(path)) {
    case Target::hif:
      left_out = save_hif(loaded, path);
      break;
    case Target::incidence_list:
      left_out = save_list(loaded, path);
      break;
    case Target::folder:
      save_folder(loaded, path, force);
      break;
  }
  if (left_out.empty()) return {};
  return {fmt::format("{} cannot hold {}, which {} left out; a data set folder holds everything", path,
                      fmt::join(left_out, ", "), left_out.size() == 1 ? "is" : "are")};
}

}  // namespace dshn::cli
