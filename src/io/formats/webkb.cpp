#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "dshn/base/error.hpp"
#include "dshn/hypergraph/transforms.hpp"
#include "dshn/io/data_files.hpp"
#include "dshn/io/format.hpp"
#include "dshn/io/npz.hpp"
#include "io/feature_rows.hpp"

namespace dshn::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWebkbArcs = "out1_graph_edges.txt";
constexpr const char* kWebkbNodes = "out1_node_feature_label.txt";

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Reads out1_node_feature_label.txt into x and y and returns the number of nodes. Rows may be in any order.
Index read_webkb_nodes(const fs::path& path, Arrays& arrays) {
  Table table(path);
  FeatureRows features;
  std::vector<Index> ids;
  std::vector<std::int64_t> labels;
  for (const TableRow* row = table.next(); row != nullptr; row = table.next()) {
    const bool header = !row->fields.empty() && row->fields[0].text == "node_id";
    if (header) continue;
    if (row->fields.size() != 3)
      table.fail(row->line, "expected node id, features and label, separated by tabs");
    ids.push_back(number_in<Index>(table, row->line, row->fields[0].text, "a node id"));
    features.add(table, row->line, split(row->fields[1].text, ','));
    labels.push_back(number_in<std::int64_t>(table, row->line, row->fields[2].text, "a label"));
  }
  const auto count = static_cast<Index>(ids.size());
  std::vector<Index> order(ids.size(), -1);
  for (Index i = 0; i < count; ++i) {
    if (ids[i] < 0 || ids[i] >= count || order[ids[i]] >= 0) {
      table.fail(fmt::format("node id {} is outside 0..{} or listed twice", ids[i], count - 1));
    }
    order[ids[i]] = i;
  }
  std::vector<std::int64_t> sorted;
  sorted.reserve(order.size());
  for (const Index row : order) sorted.push_back(labels[row]);
  arrays[kNodeFeatures] = features.array(order);
  arrays[kNodeLabels] = Array::of(sorted, {count});
  return count;
}

Hypergraph read_webkb_arcs(const fs::path& path, Index nodes, const LoadOptions& options) {
  Table table(path, options.progress);
  std::vector<Index> from;
  std::vector<Index> to;
  for (const TableRow* row = table.next(); row != nullptr; row = table.next()) {
    if (!row->fields.empty() && row->fields[0].text == "node_id") continue;
    if (row->fields.size() != 2) table.fail(row->line, "expected two node ids, separated by a tab");
    for (const std::size_t column : {0, 1}) {
      const auto id = number_in<Index>(table, row->line, row->fields[column].text, "a node id");
      if (id < 0 || id >= nodes)
        table.fail(row->line, fmt::format("node id {} is outside 0..{}", id, nodes - 1));
      (column == 0 ? from : to).push_back(id);
    }
  }
  return from_directed_graph(nodes, {from, to, options.first_column_is_tail});
}

/// The last number in a file's name: cornell_split_0.6_0.2_3.npz is number 3.
std::int64_t split_number(const fs::path& path) {
  const std::string stem = path.stem().string();
  const std::size_t last = stem.find_last_not_of("0123456789");
  const std::string digits = last == std::string::npos ? stem : stem.substr(last + 1);
  std::int64_t number = -1;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

void read_webkb_splits(const fs::path& folder, Arrays& arrays) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".npz") && name.find("_split_") != std::string::npos) files.push_back(entry.path());
  }
  if (files.empty()) return;
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    return std::pair(split_number(a), a) < std::pair(split_number(b), b);
  });
  for (const char* const masks : {kTrainMasks, kValMasks, kTestMasks}) {
    const std::string member(masks, std::strlen(masks) - 1);  // train_mask is one split's
    std::vector<bool> rows;
    std::int64_t length = -1;
    for (const fs::path& file : files) {
      const Array mask = read_npz(file, {member}).at(member);
      const std::vector<bool> values = mask.as<bool>(fmt::format("{}, member '{}'", file.string(), member));
      if (length >= 0 && length != mask.size()) {
        throw InvalidInput(fmt::format("{}: '{}' has {} values, but the splits before have {}", file.string(),
                                       member, mask.size(), length));
      }
      length = mask.size();
      rows.insert(rows.end(), values.begin(), values.end());
    }
    arrays[masks] = Array::of(rows, {static_cast<std::int64_t>(files.size()), length});
  }
}

/// WebKB folder: out1_graph_edges.txt, out1_node_feature_label.txt and any number of *_split_*.npz with
/// train_mask, val_mask and test_mask, taken in the order of the last number in their names.
Loaded read_webkb(const fs::path& folder, const LoadOptions& options) {
  Loaded loaded;
  loaded.format = "WebKB text files";
  const Index nodes = read_webkb_nodes(folder / kWebkbNodes, loaded.arrays);
  loaded.hypergraph = read_webkb_arcs(folder / kWebkbArcs, nodes, options);
  read_webkb_splits(folder, loaded.arrays);
  return loaded;
}

}  // namespace

Format webkb_format() {
  return {.name = "webkb",
          .title = "WebKB",
          .folder = true,
          .recognised_by = fmt::format("`{}` and `{}` in it", kWebkbArcs, kWebkbNodes),
          .section = "raw-formats",
          .recognise =
              [](const Candidate& candidate) {
                return candidate.folder && fs::exists(candidate.path / kWebkbArcs) &&
                       fs::exists(candidate.path / kWebkbNodes);
              },
          .read = read_webkb};
}

}  // namespace dshn::io
