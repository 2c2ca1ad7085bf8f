#include "dshn/io/hif.hpp"

#include "dshn/base/error.hpp"
#include "dshn/io/data_files.hpp"
#include "dshn/io/format.hpp"
#include "io/text_words.hpp"

namespace dshn::io {
namespace {

/// Whether the array is one integer per item, which HIF can hold as a label.
bool is_label(const Array& array, Index items) {
  const bool integer = array.dtype >= DType::int8 && array.dtype <= DType::uint64;
  return integer && array.shape == std::vector<std::int64_t>{items};
}

std::vector<std::string> write_with_labels(const Loaded& loaded, const std::filesystem::path& path) {
  std::vector<std::int64_t> node_labels;
  std::vector<std::int64_t> edge_labels;
  std::vector<std::string> class_names;
  std::vector<std::string> left_out;
  for (const auto& [name, array] : loaded.arrays) {
    if (name == kNodeLabels && is_label(array, loaded.hypergraph.node_count())) {
      node_labels = array.as<std::int64_t>(name);
    } else if (name == kEdgeLabels && is_label(array, loaded.hypergraph.edge_count())) {
      edge_labels = array.as<std::int64_t>(name);
    } else if (name == kClassNames && array.dtype == DType::text) {
      class_names = array.texts;
    } else {
      left_out.push_back(name);
    }
  }
  // One list of words cannot name the classes of both.
  if (!class_names.empty() && !node_labels.empty() && !edge_labels.empty()) {
    class_names.clear();
    left_out.emplace_back(kClassNames);
  }
  write_hif(loaded.hypergraph, path, {loaded.metadata, node_labels, edge_labels, class_names});
  return left_out;
}

bool begins_as_json(const Candidate& candidate) {
  std::string_view start = candidate.start;
  if (start.starts_with(kByteOrderMark)) start.remove_prefix(kByteOrderMark.size());
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (start[first] == '{' || start[first] == '[');
}

}  // namespace

Format hif_format() {
  return {.name = "hif",
          .title = "HIF",
          .extensions = {".json", ".hif"},
          .compressible = true,
          .holds_metadata = true,
          .recognised_by = "JSON in it",
          .section = "hif",
          .recognise = begins_as_json,
          .read = [](const std::filesystem::path& path,
                     const LoadOptions& options) { return read_hif(path, options); },
          .write = write_with_labels};
}

}  // namespace dshn::io
