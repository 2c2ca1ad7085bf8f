#include "dshn/data/assemble.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "data/array_checks.hpp"
#include "dshn/base/error.hpp"

namespace dshn::data {
namespace {

constexpr std::string_view kUnderstood[] = {"x",      "x_bits",      "x_shape",   "edge_x",    "y",
                                            "edge_y", "train_masks", "val_masks", "test_masks"};

template <typename Arrays>
auto* find(Arrays& arrays, const std::string& name) {
  const auto found = arrays.find(name);
  return found == arrays.end() ? nullptr : &found->second;
}

Features node_features(io::Arrays& arrays, const Items& nodes, const std::string& where) {
  io::Array* x = find(arrays, "x");
  const io::Array* bits = find(arrays, "x_bits");
  const io::Array* shape = find(arrays, "x_shape");
  if ((bits == nullptr) != (shape == nullptr)) {
    throw InvalidInput(fmt::format("{}: {} is missing beside {}", where,
                                   bits == nullptr ? "x_bits" : "x_shape",
                                   bits == nullptr ? "x_shape" : "x_bits"));
  }
  if (x != nullptr && bits != nullptr) {
    throw InvalidInput(fmt::format("{}: both x and x_bits are there; expected one of them", where));
  }
  if (x != nullptr) return dense_features(std::move(*x), "x", nodes, where);
  if (bits != nullptr) return packed_features(*bits, *shape, nodes, where);
  return {};
}

Task choose_task(const io::Arrays& arrays, std::optional<Task> wanted) {
  if (wanted) return *wanted;
  const bool edges_only = arrays.contains("edge_y") && !arrays.contains("y");
  return edges_only ? Task::hyperedge_classification : Task::node_classification;
}

/// Classes without a member are legal (a piece of a data set may lack one), but more often a mistake.
void warn_about_gaps(Dataset& dataset) {
  std::vector<bool> seen(static_cast<std::size_t>(dataset.class_count));
  for (const Index label : dataset.labels) {
    if (label >= 0) seen[static_cast<std::size_t>(label)] = true;
  }
  std::vector<std::size_t> missing;
  for (std::size_t c = 0; c < seen.size(); ++c) {
    if (!seen[c]) missing.push_back(c);
  }
  if (missing.empty()) return;
  const std::size_t more = missing.size() > 5 ? missing.size() - 5 : 0;
  missing.resize(missing.size() - more);
  dataset.warnings.push_back(fmt::format("classes run from 0 to {}, but no {} has class {}{}",
                                         seen.size() - 1, item_word(dataset.task), fmt::join(missing, ", "),
                                         more > 0 ? fmt::format(" and {} more", more) : ""));
}

void add_labels(Dataset& dataset, const io::Arrays& arrays, const Items& items, const std::string& where) {
  const bool nodes = dataset.task == Task::node_classification;
  const std::string name = nodes ? "y" : "edge_y";
  const std::string other = nodes ? "edge_y" : "y";
  if (const io::Array* y = find(arrays, name)) dataset.labels = class_labels(*y, name, items, where);
  if (arrays.contains(other)) {
    dataset.warnings.push_back(fmt::format("{} is left out: the task is to classify {}s", other, items.word));
  }
  if (dataset.labels.empty()) return;
  dataset.class_count = *std::ranges::max_element(dataset.labels) + 1;
  warn_about_gaps(dataset);
}

}  // namespace

Dataset assemble(io::Loaded loaded, const AssembleOptions& options) {
  Dataset dataset;
  dataset.name = options.name;
  dataset.origin = options.where;
  dataset.format = std::move(loaded.format);
  dataset.warnings = std::move(loaded.warnings);
  dataset.hypergraph = std::move(loaded.hypergraph);
  dataset.task = choose_task(loaded.arrays, options.task);

  io::Arrays& arrays = loaded.arrays;
  const Items nodes = nodes_of(dataset.hypergraph);
  const Items edges = edges_of(dataset.hypergraph);
  const Items& items = dataset.task == Task::node_classification ? nodes : edges;
  dataset.node_features = node_features(arrays, nodes, options.where);
  if (io::Array* x = find(arrays, "edge_x")) {
    dataset.edge_features = dense_features(std::move(*x), "edge_x", edges, options.where);
  }
  add_labels(dataset, arrays, items, options.where);
  dataset.splits = mask_splits(arrays, items, dataset.labels, options.where);
  for (const auto& [name, array] : arrays) {
    if (std::ranges::find(kUnderstood, name) == std::end(kUnderstood)) {
      dataset.warnings.push_back(fmt::format("the array {} is not understood and left out", name));
    }
  }
  return dataset;
}

}  // namespace dshn::data
